// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the private copy of oneTBB calls in place of functions of the C library.
///
/// TBB ends the process if a thread cannot be made, and leaves its own state unfinished if the thread that called it
/// may go on. Here it always gets one: a thread that is missing looks to TBB like one that takes long to start. TBB
/// also reads environment variables, writes warnings to standard error and changes the affinity of the thread that
/// makes others; a driver does none of this.
#include "runtime/process/tbb_calls.h"

#ifndef LANEWISE_SYSTEM_TBB

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <new>

#include "runtime/process/fork_guard.h"
#include "runtime/process/thread.h"
#include "src/base/list.h"
#include "src/base/mutex.h"
#include "src/base/survives_fork.h"

namespace lanewise {

namespace {

/// Kernels need stacks of this size, even if the default of the process is smaller.
constexpr std::size_t kLeastStack = std::size_t{4} << 20U;

/// A thread that TBB has asked for and the system has not given.
struct Missing {
  void* (*routine)(void*);
  void* argument;
  Missing* next = nullptr;
};
struct NextMissing {
  static Missing*& of(Missing& missing) { return missing.next; }
};
constinit Mutex g_mutex;  ///< a thread is made under it, nothing else is called
constinit ForwardList<Missing, NextMissing> g_missing GUARDED_BY(g_mutex);
constinit std::atomic<bool> g_some_missing{false};
constinit std::atomic<bool> g_forgotten{false};  ///< there was no memory for the list

bool make(pthread_t& thread, void* (*routine)(void*), void* argument) {
  return make_thread(thread, routine, argument, kLeastStack, PTHREAD_CREATE_DETACHED);
}

void make_missing() noexcept {
  const MutexLock lock(g_mutex);
  pthread_t thread{};
  while (Missing* missing = g_missing.pop()) {
    if (!make(thread, missing->routine, missing->argument)) return g_missing.push_front(*missing);
    delete missing;
  }
  g_some_missing.store(g_forgotten.load());
}

/// The calling thread is a worker that looks for work.
constinit thread_local bool t_looks = false;

/// What TBB does when a thread ends that has used it. In a forked child TBB's locks may stay locked forever.
LANEWISE_SURVIVES_FORK constinit void (*g_at_thread_end)(void*) = nullptr;
LANEWISE_SURVIVES_FORK constinit std::atomic<pthread_key_t> g_key{0};
LANEWISE_SURVIVES_FORK constinit std::atomic<bool> g_has_key{false};
void at_thread_end(void* data) {
  if (!in_forked_child()) g_at_thread_end(data);
}

}  // namespace

bool tbb_lacks_threads() noexcept {
  if (!g_some_missing.load()) [[likely]]
    return false;
  make_missing();
  return g_some_missing.load();
}

void set_looking_for_work(bool looks) noexcept {
  t_looks = looks;
}

}  // namespace lanewise

using namespace lanewise;

extern "C" {

int lanewise_tbb_pthread_create(pthread_t* thread, const pthread_attr_t* /*attributes*/, void* (*routine)(void*),
                                void* argument) {
  if (make(*thread, routine, argument)) return 0;
  *thread = pthread_self();  // TBB looks at it only when it ends its threads, which it never does here
  auto* missing = new (std::nothrow) Missing{routine, argument};
  const MutexLock lock(g_mutex);
  g_some_missing.store(true);
  if (missing != nullptr) {
    g_missing.push_front(*missing);
  } else {
    g_forgotten.store(true);
  }
  return 0;
}

int lanewise_tbb_pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  if (destructor == nullptr) return pthread_key_create(key, nullptr);
  if (!g_has_key.load()) {  // else the parent has made it
    g_at_thread_end = destructor;
    pthread_key_t made{};
    if (const int error = pthread_key_create(&made, &at_thread_end); error != 0) return error;
    forget_after_fork(made);
    g_key.store(made);
    g_has_key.store(true);
  }
  *key = g_key.load();
  return 0;
}

int lanewise_tbb_sched_setaffinity(pid_t /*thread*/, std::size_t /*bytes*/, const cpu_set_t* /*mask*/) {
  return 0;
}

int lanewise_tbb_sched_yield() {
  return t_looks ? 0 : sched_yield();
}

char* lanewise_tbb_getenv(const char* /*name*/) {
  return nullptr;
}

int lanewise_tbb_fprintf(std::FILE* /*to*/, const char* /*format*/, ...) {  // NOLINT(cert-dcl50-cpp)
  return 0;
}
int lanewise_tbb_fputs(const char* /*text*/, std::FILE* /*to*/) {
  return 0;
}
std::size_t lanewise_tbb_fwrite(const void* /*from*/, std::size_t /*size*/, std::size_t count, std::FILE* /*to*/) {
  return count;
}

}  // extern "C"

#else

namespace lanewise {
bool tbb_lacks_threads() noexcept {
  return false;
}
void set_looking_for_work(bool /*looks*/) noexcept {}
}  // namespace lanewise

#endif

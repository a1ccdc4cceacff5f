// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/guard.h"

#include <llvm/Support/ErrorHandling.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <csetjmp>
#include <cstring>
#include <mutex>
#include <vector>

#include "compiler/codegen/crash_recovery.h"

namespace lanewise {
namespace {

struct Escape {
  std::jmp_buf point;
  std::string* message = nullptr;
};

thread_local Escape* t_escape = nullptr;

void on_fatal_error(void*, const char* reason, bool) {
  if (t_escape == nullptr) return;  // not one of our threads: LLVM does what it always does
  *t_escape->message = reason;
  std::longjmp(t_escape->point, 1);  // NOLINT(cert-err52-cpp): LLVM has no other way back
}

// This is address space; memory is used only for pages that are touched. The second is tried if the first fails.
constexpr std::size_t kStackBytes[] = {std::size_t{256} << 20, std::size_t{16} << 20};

bool start_thread(pthread_t& thread, void* (*entry)(void*), void* argument) {
  for (const std::size_t bytes : kStackBytes) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    const bool started = pthread_attr_setstacksize(&attributes, bytes) == 0 &&
                         pthread_create(&thread, &attributes, entry, argument) == 0;
    pthread_attr_destroy(&attributes);
    if (started) return true;
  }
  return false;
}

unsigned available_cores() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof mask, &mask) != 0) return 1;
  return std::max(1u, static_cast<unsigned>(CPU_COUNT(&mask)));
}

struct Shared {
  llvm::function_ref<void(unsigned)> body;
  unsigned count;
  std::atomic<unsigned> next{0};

  void work() {
    for (unsigned i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) body(i);
  }
};

void* thread_main(void* shared) {
  static_cast<Shared*>(shared)->work();
  return nullptr;
}

}  // namespace

bool run_guarded(llvm::function_ref<void()> body, std::string& message) {
  static std::once_flag once;
  std::call_once(once, [] { llvm::install_fatal_error_handler(on_fatal_error); });
  Escape escape;
  escape.message = &message;
  Escape* const outer = t_escape;
  CrashFrame crash(escape.point);
  if (setjmp(escape.point) != 0) {  // NOLINT(cert-err52-cpp)
    t_escape = outer;
    if (crash.signal() != 0)
      message = "the compiler crashed on this program: " + std::string(strsignal(crash.signal()));
    return false;
  }
  t_escape = &escape;
  body();
  t_escape = outer;
  return true;
}

void run_on_large_stack(llvm::function_ref<void()> body) {
  pthread_t thread;
  const auto entry = [](void* argument) -> void* {
    (*static_cast<llvm::function_ref<void()>*>(argument))();
    return nullptr;
  };
  if (start_thread(thread, entry, &body)) {
    pthread_join(thread, nullptr);
  } else {
    body();
  }
}

void run_parallel(unsigned count, llvm::function_ref<void(unsigned)> body) {
  Shared shared{.body = body, .count = count};
  std::vector<pthread_t> threads;
  for (unsigned helpers = std::min(count, available_cores()); helpers > 1; --helpers) {
    pthread_t thread;
    if (!start_thread(thread, thread_main, &shared)) break;
    threads.push_back(thread);
  }
  shared.work();
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
}

}  // namespace lanewise

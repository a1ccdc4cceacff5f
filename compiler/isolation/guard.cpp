// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/isolation/guard.h"

#include <llvm/Support/ErrorHandling.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <csetjmp>
#include <cstring>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "compiler/isolation/crash_recovery.h"

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

/// A body has been abandoned on this thread, by a crash or a fatal error.
constinit thread_local bool t_abandoned = false;

// This is address space; memory is used only for pages that are touched. The second is tried if the first fails.
constexpr std::size_t kStackBytes[] = {std::size_t{256} << 20, std::size_t{16} << 20};
constexpr std::size_t kGuardBytes = std::size_t{64} << 10;  ///< at the end of a stack, so that an overflow is a fault

/// A thread with a large stack. Objects of an abandoned body stay in lists of LLVM (timers), which writes to them when
/// the next one comes: on a stack that is gone that was a second crash, inside of a lock that nobody released then. So
/// a stack on which a body was abandoned stays, without being used again.
class LargeThread {
 public:
  /// False: there is no thread or no memory. `body` must live until `join` returns.
  bool start(llvm::function_ref<void()> body) {
    body_ = body;
    return std::any_of(std::begin(kStackBytes), std::end(kStackBytes), [&](std::size_t bytes) { return start(bytes); });
  }

  void join() {
    pthread_join(thread_, nullptr);
    if (!abandoned_) munmap(stack_, bytes_);
  }

 private:
  bool start(std::size_t bytes) {
    void* const memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    stack_ = static_cast<char*>(memory);
    bytes_ = bytes;
    pthread_attr_t attributes;
    const bool made = pthread_attr_init(&attributes) == 0;
    const bool started = made && mprotect(stack_, kGuardBytes, PROT_NONE) == 0 &&
                         pthread_attr_setstack(&attributes, stack_ + kGuardBytes, bytes - kGuardBytes) == 0 &&
                         pthread_create(&thread_, &attributes, &LargeThread::main, this) == 0;
    if (made) pthread_attr_destroy(&attributes);
    if (!started) munmap(stack_, bytes);
    return started;
  }

  static void* main(void* self) {
    auto& thread = *static_cast<LargeThread*>(self);
    thread.body_();
    thread.abandoned_ = t_abandoned;
    return nullptr;
  }

  llvm::function_ref<void()> body_;
  pthread_t thread_{};
  char* stack_ = nullptr;
  std::size_t bytes_ = 0;
  bool abandoned_ = false;  ///< written by the thread, read after it has ended
};

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
    for (unsigned i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) {
      body(i);
      if (t_abandoned) return go_on();
    }
  }

  /// What an abandoned body has left on this thread's stack must not be overwritten, so another thread does the rest.
  void go_on() {
    LargeThread thread;
    const auto rest = [this] { work(); };
    if (next.load(std::memory_order_relaxed) < count && thread.start(rest)) return thread.join();
    t_abandoned = false;  // there is no thread
    work();
    t_abandoned = true;
  }
};

/// Calls `body` some way down the stack: what runs after it has been abandoned, until the thread ends, is above.
[[gnu::noinline]] void call_below(llvm::function_ref<void()> body) {
  constexpr std::size_t kRoom = std::size_t{32} << 10;
  char room[kRoom];
  const auto seen = [&] { asm volatile("" : : "r"(room) : "memory"); };  // else it is optimised away
  seen();
  body();
  seen();
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
    t_abandoned = true;
    if (crash.signal() != 0)
      message = "the compiler crashed on this program: " + std::string(strsignal(crash.signal()));
    return false;
  }
  t_escape = &escape;
  call_below(body);
  t_escape = outer;
  return true;
}

void run_on_large_stack(llvm::function_ref<void()> body) {
  LargeThread thread;
  if (thread.start(body)) {
    thread.join();
  } else {
    body();
  }
}

void run_parallel(unsigned count, llvm::function_ref<void(unsigned)> body) {
  Shared shared{.body = body, .count = count};
  const auto work = [&] { shared.work(); };
  std::vector<std::unique_ptr<LargeThread>> threads;
  for (unsigned helpers = std::min(count, available_cores()); helpers > 1; --helpers) {
    auto thread = std::make_unique<LargeThread>();
    if (!thread->start(work)) break;
    threads.push_back(std::move(thread));
  }
  shared.work();
  for (const auto& thread : threads) thread->join();
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/guard.h"

#include <llvm/Support/ErrorHandling.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <csetjmp>
#include <mutex>
#include <vector>

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

// The optimiser and the instruction selector recurse over the depth of expressions.
constexpr std::size_t kStackBytes = std::size_t{64} << 20;

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
  if (setjmp(escape.point) != 0) {  // NOLINT(cert-err52-cpp)
    t_escape = outer;
    return false;
  }
  t_escape = &escape;
  body();
  t_escape = outer;
  return true;
}

void run_parallel(unsigned count, llvm::function_ref<void(unsigned)> body) {
  Shared shared{.body = body, .count = count};
  std::vector<pthread_t> threads;
  pthread_attr_t attributes;
  if (count > 1 && pthread_attr_init(&attributes) == 0) {
    pthread_attr_setstacksize(&attributes, kStackBytes);
    for (unsigned helpers = std::min(count, available_cores()) - 1; helpers > 0; --helpers) {
      pthread_t thread;
      if (pthread_create(&thread, &attributes, thread_main, &shared) != 0) break;
      threads.push_back(thread);
    }
    pthread_attr_destroy(&attributes);
  }
  shared.work();
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
}

}  // namespace lanewise

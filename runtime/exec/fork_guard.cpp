// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/fork_guard.h"

#include <pthread.h>

#include <mutex>

namespace lanewise {

namespace detail {
constinit std::atomic<bool> forked_child{false};
}

void watch_for_fork() {
  static std::once_flag once;
  std::call_once(once, [] {
    pthread_atfork(nullptr, nullptr, [] { detail::forked_child.store(true, std::memory_order_relaxed); });
  });
}

}  // namespace lanewise

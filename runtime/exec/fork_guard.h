// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// After fork() the child has one thread and none of ours: nothing may be enqueued, waited for or built there.
#pragma once

#include <atomic>

namespace lanewise {

/// From now on a fork marks its child. Called before the first thread or helper process is created; cheap to repeat.
void watch_for_fork();

namespace detail {
extern std::atomic<bool> forked_child;
}
/// True in the child of a process that had called `watch_for_fork`. Whoever would need another thread answers
/// CL_OUT_OF_RESOURCES then.
inline bool in_forked_child() {
  return detail::forked_child.load(std::memory_order_relaxed);
}

}  // namespace lanewise

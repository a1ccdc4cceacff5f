// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Threads for builds that the application does not wait for.
///
/// A compile blocks for milliseconds to seconds, so it must not run on a scheduler's thread. Threads are started on
/// demand, at most one per processor, and end when nothing is left to do; there is none while no build is running.
#pragma once

#include <functional>

namespace lanewise {

/// Runs `task` soon on another thread. False if no thread can be created (the task has not run and will not). The task
/// must not throw. Not for use in a forked child.
[[nodiscard]] bool run_in_background(std::function<void()> task);

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Threads for builds that the application does not wait for.
///
/// A compile blocks for milliseconds to seconds, so it must not run on a scheduler's thread. Threads are started on
/// demand and end when nothing is left to do; there is none while no build is running.
#pragma once

#include <functional>

namespace lanewise {

enum class Urgency : unsigned char {
  awaited,  ///< the application will wait for it sooner or later: at most one thread per processor
  /// Nobody waits for it, and kernels run at the same time: a quarter of the processors at most. With two processors and
  /// two compiles at once, kernels had half of the machine in the first half second, which many programs do not exceed.
  hidden,
};

/// Runs `task` soon on another thread. False if no thread can be created (the task has not run and will not). The task
/// must not throw. Not for use in a forked child.
[[nodiscard]] bool run_in_background(std::function<void()> task, Urgency urgency = Urgency::awaited);

}  // namespace lanewise

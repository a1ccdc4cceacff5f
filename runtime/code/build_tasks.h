// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Threads for background builds.
///
/// A compile blocks for milliseconds to seconds, so it must not run on a scheduler's thread. Threads are started on
/// demand and end when nothing is left to do.
#pragma once

#include <functional>

namespace lanewise {

/// How many threads may build at once.
enum class Urgency : unsigned char {
  awaited,  ///< the application will wait for the build: at most one thread for each processor
  /// Nobody waits for the build, and kernels run meanwhile: threads for at most a quarter of the processors. Two
  /// compiles at once on two processors took half of the machine from the kernels in the first half second, which is
  /// all of many programs.
  hidden,
  /// The first code of a kernel that exists as an object: on the threads of `wanted`, after what is wanted.
  asked,
  wanted,  ///< such code that a command or a call waits for: at most one thread for each processor
};

/// Runs `task`, which must not throw, soon on another thread. False: no thread can be created, and the task will not
/// run. Must not be called in a forked child.
[[nodiscard]] bool run_in_background(std::function<void()> task, Urgency urgency = Urgency::awaited);

}  // namespace lanewise

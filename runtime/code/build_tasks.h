// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Threads for background builds.
///
/// A compile blocks for milliseconds to seconds, so it must not run on a scheduler's thread. Threads are started on
/// demand and end when nothing is left to do.
#pragma once

#include <cstdint>
#include <functional>

namespace lanewise {

/// How many threads may build at once.
enum class Urgency : unsigned char {
  awaited,  ///< the application will wait for the build: at most one thread for each processor
  /// Nobody waits for the build, and kernels run meanwhile: threads for at most a quarter of the processors. Two
  /// compiles at once on two processors took half of the machine from the kernels in the first half second, which is
  /// all of many programs.
  hidden,
  /// The first code of a kernel that exists as an object, for which nobody waits yet. While kernels run, it begins on a
  /// quarter of the processors. Where it took all of them, the first launches of applications that make all their
  /// kernels at the start had half of the machine. darktable compares such launches with its own code.
  asked,
  wanted,  ///< such code that a command or a call waits for: at most one thread for each processor, whatever is asked
};

/// What runs beside the builds.
struct Kernels {
  std::uint64_t commands = 0;  ///< grows with their commands
  bool run = false;            ///< some run now
};
/// A look at them. It may be wrong for some microseconds.
using LookAtKernels = Kernels (*)();

/// How many tasks that are `asked` begin, and go on, while kernels run: a quarter of the processors.
[[nodiscard]] unsigned spared_by_kernels();

/// Runs `task`, which must not throw, soon on another thread. False: no thread can be created, and the task will not
/// run. Must not be called in a forked child.
/// @param look  how tasks that are `asked` know that kernels run; null: none ever do
[[nodiscard]] bool run_in_background(std::function<void()> task, Urgency urgency = Urgency::awaited,
                                     LookAtKernels look = nullptr);

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A thread that other threads of its process can suspend and resume.
///
/// Priorities do not do for this. Without CAP_SYS_NICE, or RLIMIT_NICE above its default of 0, Linux lets a thread take
/// SCHED_IDLE and larger nice values, but never SCHED_OTHER or smaller ones again (EPERM, EACCES; sched(7)), and work
/// that nobody waits for may be waited for a moment later. A signal stops and goes on with the same rights.
///
/// A suspended thread may hold any lock: of malloc, of LLVM, of the linker. So whoever suspends threads resumes them
/// before another thread of the process does anything that may take one.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>

namespace lanewise {

class Suspension {
 public:
  /// Makes the process able to suspend threads. Where the system refuses that, `suspend` has no effect.
  static void prepare();

  /// The calling thread is the one, from now until it ends; it waits here if it is suspended already. This object lives
  /// longer.
  void enter();
  /// Takes effect some microseconds later. Neither this nor `resume` allocates memory or takes a lock.
  void suspend();
  void resume();

 private:
  static void on_signal(int number);
  void wait();

  std::atomic<std::uint32_t> suspended_{0};  ///< a futex
  std::atomic<pid_t> thread_{0};             ///< 0: none has entered
};

}  // namespace lanewise

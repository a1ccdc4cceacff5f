// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The termination of running kernels (cl_khr_terminate_context), even of kernels that loop forever.
///
/// Kernels do not test a flag in every loop, because all kernels would pay for that. In a context that can be
/// terminated, a thread instead calls a kernel from a frame that stores its stack pointer, and `Termination::request`
/// sends a signal to such threads. If the handler finds that it interrupted the kernel, it continues the thread at the
/// end of that frame. This is safe because kernels have no locks and no destructors and call nothing but
/// `lanewise_services`, which are not interruptible. The kernel's writes so far remain, as the extension says.
///
/// Only such contexts pay: two system calls and a lock for each run of a kernel's range. The signal is a real-time
/// signal without a handler, chosen when the first such context is created. If the application later installs a handler
/// for it, running kernels cannot be stopped any more.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "include/lanewise/kernel_abi.h"
#include "src/base/list.h"
#include "src/base/mutex.h"

namespace lanewise {

/// The termination of one context. It happens at most once.
class Termination {
 public:
  /// Creates the state of a context that can be terminated. Null: the process has no real-time signal left.
  static std::unique_ptr<Termination> create();

  [[nodiscard]] bool requested() const { return requested_.load(std::memory_order_acquire); }

  /// Terminates the context. Returns when no thread runs a kernel of the context any more, or after ten seconds. No
  /// kernel of the context starts afterwards. False: the termination has been requested before.
  bool request();

  /// Runs the work-groups [first, last). False: the context was terminated before they ended.
  bool run(lanewise_range_fn* code, const lanewise_launch& launch, const void* args, lanewise_worker& worker,
           std::uint64_t first, std::uint64_t last);

 private:
  struct Running;
  struct Links;

  Termination() = default;
  /// Sends the signal to every thread that runs a kernel. False: there is none.
  bool interrupt();

  std::atomic<bool> requested_{false};
  Mutex mutex_;  ///< innermost
  List<Running, Links> running_ GUARDED_BY(mutex_);
};

/// The part of a thread's run that no termination interrupts. Every service that compiled code calls begins with such
/// an object and ends with `end`.
class Uninterruptible {
 public:
  Uninterruptible();
  /// Ends the part; must be the last action of the service. Does not return if the context has been terminated
  /// meanwhile.
  void end();

 private:
  struct InterruptibleCall* call_;
};

}  // namespace lanewise

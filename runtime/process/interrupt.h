// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Stopping running kernels (cl_khr_terminate_context), even those that loop forever.
///
/// Kernels do not test a flag in every loop, because all kernels would pay for that. Instead, a thread calls the kernel
/// of a context that can be terminated from a frame that stores its stack pointer, and `Termination::request` sends
/// such threads a signal. If the handler finds that it interrupted the kernel, it continues the thread at the end of
/// that frame. This is safe because kernels have no locks and no destructors and call nothing but `lanewise_services`,
/// which are excluded from the interruptible part. What the kernel has written so far stays, as the extension says.
///
/// Only such contexts pay for it: two system calls and a lock for each run of a kernel's range. The signal is a
/// real-time signal without a handler, chosen when the first such context is created. If the application later installs
/// its own handler for it, running kernels cannot be stopped any more.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "include/lanewise/kernel_abi.h"
#include "src/base/list.h"
#include "src/base/mutex.h"

namespace lanewise {

/// The termination of a context that can be terminated. It happens at most once.
class Termination {
 public:
  /// Null if the process has no real-time signal left.
  static std::unique_ptr<Termination> create();

  [[nodiscard]] bool requested() const { return requested_.load(std::memory_order_acquire); }

  /// False if it has been requested before. Returns when no thread runs a kernel of the context any more, or after ten
  /// seconds. No kernel of the context starts afterwards.
  bool request();

  /// Runs the work-groups [first, last). False: the context was terminated before their end.
  bool run(lanewise_range_fn* code, const lanewise_launch& launch, const void* args, lanewise_worker& worker,
           std::uint64_t first, std::uint64_t last);

 private:
  struct Running;
  struct Links;

  Termination() = default;
  /// Sends the signal to every thread that runs a kernel; false if there is none.
  bool interrupt();

  std::atomic<bool> requested_{false};
  Mutex mutex_;  ///< innermost
  List<Running, Links> running_ GUARDED_BY(mutex_);
};

/// Every service that compiled code calls begins with this: until `end`, the thread cannot be taken out of its kernel.
class Uninterruptible {
 public:
  Uninterruptible();
  /// Must be the last action of the service. Does not return if the context has been terminated meanwhile.
  void end();

 private:
  struct InterruptibleCall* call_;
};

}  // namespace lanewise

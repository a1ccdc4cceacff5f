// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Stopping kernels from outside (cl_khr_terminate_context), also one that loops forever.
///
/// A kernel asks nobody whether it may go on; a look at a flag in every loop would cost all of them. Instead a thread
/// that runs a kernel of a context that can be terminated enters it through a frame that remembers its stack pointer,
/// and `Termination::request` sends such threads a signal. If the handler finds the kernel interrupted, it lets the
/// thread go on at the end of that frame. That is safe because of what kernels are: code without locks, destructors and
/// calls to anything but `lanewise_services`, which are left out of the interruptible part. What the kernel wrote stays
/// half done, as the extension says.
///
/// Only such contexts pay: two system calls and a lock for each run of a kernel's range. The signal is a real-time one
/// that nobody handles, chosen when the first such context is made. An application that takes it for itself afterwards
/// gives up that running kernels can be stopped.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "include/lanewise/kernel_abi.h"

namespace lanewise {

/// What a context that can be terminated has; terminated once and for ever.
class Termination {
 public:
  /// Null if the process has no signal left for it.
  static std::unique_ptr<Termination> create();

  [[nodiscard]] bool requested() const { return requested_.load(std::memory_order_acquire); }

  /// False if it has been requested before. Returns when no thread runs a kernel of the context any more, or after ten
  /// seconds; none will begin one.
  bool request();

  /// Runs the work-groups [first, last). False: the context was terminated before their end.
  bool run(lanewise_range_fn* code, const lanewise_launch& launch, const void* args, lanewise_worker& worker,
           std::uint64_t first, std::uint64_t last);

 private:
  struct Running;

  Termination() = default;
  /// Sends the signal to every thread that runs a kernel; false if there is none.
  bool interrupt();

  std::atomic<bool> requested_{false};
  std::mutex mutex_;  ///< guards the list; innermost
  Running* running_ = nullptr;
};

/// What a service that compiled code calls begins with: from here on the thread is not taken out of its kernel.
class Uninterruptible {
 public:
  Uninterruptible();
  /// The last thing that the service does. Does not return if the context has been terminated meanwhile.
  void end();

 private:
  struct InterruptibleCall* call_;
};

}  // namespace lanewise

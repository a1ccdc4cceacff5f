// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Restricts a thread to some processors for a while, or moves it to one.
#pragma once

#include <sched.h>

#include "src/host/domains.h"

namespace lanewise::host {

inline constexpr unsigned kMostCpus = 8192;  ///< the largest number of processors that Linux supports on x86-64

/// The processors on which a thread may run.
class CpuMask {
 public:
  /// The mask of the calling thread; empty: the system does not say.
  static CpuMask of_thread() noexcept;
  void set(unsigned cpu) noexcept;
  [[nodiscard]] bool has(unsigned cpu) const noexcept;
  [[nodiscard]] bool empty() const noexcept;
  /// Sets the mask of the calling thread, which runs on one of its processors afterwards. False: the system refuses.
  [[nodiscard]] bool apply() const noexcept;

 private:
  static constexpr std::size_t kBytes = kMostCpus / 8;
  alignas(cpu_set_t) unsigned char bits_[kBytes] = {};
};

/// Moves the calling thread to a processor of its mask `own`, and keeps the mask. False: the system refuses.
[[nodiscard]] bool move_thread(unsigned cpu, const CpuMask& own) noexcept;

/// Restricts the calling thread to `cpus` while the object exists, then restores its mask. Changes nothing if the list
/// is empty or the system refuses (a processor is offline). Costs two system calls, about 1 us.
class PinThread {
 public:
  explicit PinThread(const CpuList& cpus) noexcept;
  ~PinThread();
  PinThread(const PinThread&) = delete;
  PinThread& operator=(const PinThread&) = delete;

 private:
  CpuMask saved_;
  bool pinned_ = false;
};

}  // namespace lanewise::host

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Restricting a thread to some processors for a while, and moving it to one.
#pragma once

#include <sched.h>

#include "src/host/domains.h"

namespace lanewise::host {

inline constexpr unsigned kMostCpus = 8192;  ///< the largest number that Linux supports on x86-64

/// The processors on which a thread may run.
class CpuMask {
 public:
  /// Those of the calling thread; empty if the system does not say.
  static CpuMask of_thread() noexcept;
  void set(unsigned cpu) noexcept;
  [[nodiscard]] bool has(unsigned cpu) const noexcept;
  [[nodiscard]] bool empty() const noexcept;
  /// Makes these the processors of the calling thread, which runs on one of them afterwards. False: refused.
  [[nodiscard]] bool apply() const noexcept;

 private:
  static constexpr std::size_t kBytes = kMostCpus / 8;
  alignas(cpu_set_t) unsigned char bits_[kBytes] = {};
};

/// Moves the calling thread to a processor of its mask `own`, which it keeps. False if the system refuses.
[[nodiscard]] bool move_thread(unsigned cpu, const CpuMask& own) noexcept;

/// As long as this object exists, the calling thread runs on `cpus` only; then its own mask is restored. With an empty
/// list, or if the system refuses (a processor is offline), nothing changes. Two system calls, about 1 us.
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

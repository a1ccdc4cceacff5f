// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Restricting a thread to some processors for a while.
#pragma once

#include <sched.h>

#include "src/host/domains.h"

namespace lanewise::host {

/// As long as this object exists, the calling thread runs on `cpus` only; then its own mask is restored. With an empty
/// list, or if the system refuses (a processor is offline), nothing changes. Two system calls, about 1 us.
class PinThread {
 public:
  explicit PinThread(const CpuList& cpus) noexcept;
  ~PinThread();
  PinThread(const PinThread&) = delete;
  PinThread& operator=(const PinThread&) = delete;

 private:
  static constexpr unsigned kMostCpus = 8192;  ///< the largest number that Linux supports on x86-64
  static constexpr std::size_t kMaskBytes = kMostCpus / 8;
  alignas(cpu_set_t) unsigned char saved_[kMaskBytes];
  bool pinned_ = false;
};

}  // namespace lanewise::host

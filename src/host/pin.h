// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Keeping a thread on some processors for a while.
#pragma once

#include <sched.h>

#include "src/host/domains.h"

namespace lanewise::host {

/// As long as it lives, the calling thread runs on `cpus` only; then it gets its own mask back. An empty list, or a
/// system that refuses (a processor that went offline), leaves the thread as it is. Two system calls, about 1 us.
class PinThread {
 public:
  explicit PinThread(const CpuList& cpus) noexcept;
  ~PinThread();
  PinThread(const PinThread&) = delete;
  PinThread& operator=(const PinThread&) = delete;

 private:
  static constexpr unsigned kMostCpus = 8192;  ///< the largest number that Linux can be built for on x86-64
  static constexpr std::size_t kMaskBytes = kMostCpus / 8;
  alignas(cpu_set_t) unsigned char saved_[kMaskBytes];
  bool pinned_ = false;
};

}  // namespace lanewise::host

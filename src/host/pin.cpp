// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/host/pin.h"

#include <cstring>

namespace lanewise::host {

PinThread::PinThread(const CpuList& cpus) noexcept {
  if (cpus.empty()) return;
  alignas(cpu_set_t) unsigned char wanted[kMaskBytes] = {};
  for (const unsigned cpu : cpus)
    if (cpu < kMostCpus) CPU_SET_S(cpu, kMaskBytes, reinterpret_cast<cpu_set_t*>(wanted));
  std::memset(saved_, 0, sizeof saved_);
  pinned_ = sched_getaffinity(0, kMaskBytes, reinterpret_cast<cpu_set_t*>(saved_)) == 0 &&
            sched_setaffinity(0, kMaskBytes, reinterpret_cast<cpu_set_t*>(wanted)) == 0;
}

PinThread::~PinThread() {
  if (pinned_) sched_setaffinity(0, kMaskBytes, reinterpret_cast<cpu_set_t*>(saved_));
}

}  // namespace lanewise::host

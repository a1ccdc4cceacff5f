// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/host/pin.h"

namespace lanewise::host {

CpuMask CpuMask::of_thread() noexcept {
  CpuMask mask;
  if (sched_getaffinity(0, kBytes, reinterpret_cast<cpu_set_t*>(mask.bits_)) != 0) return {};
  return mask;
}

void CpuMask::set(unsigned cpu) noexcept {
  if (cpu < kMostCpus) CPU_SET_S(cpu, kBytes, reinterpret_cast<cpu_set_t*>(bits_));
}

bool CpuMask::has(unsigned cpu) const noexcept {
  return cpu < kMostCpus && CPU_ISSET_S(cpu, kBytes, reinterpret_cast<const cpu_set_t*>(bits_));
}

bool CpuMask::empty() const noexcept {
  return CPU_COUNT_S(kBytes, reinterpret_cast<const cpu_set_t*>(bits_)) == 0;
}

bool CpuMask::apply() const noexcept {
  return sched_setaffinity(0, kBytes, reinterpret_cast<const cpu_set_t*>(bits_)) == 0;
}

bool move_thread(unsigned cpu, const CpuMask& own) noexcept {
  CpuMask one;
  one.set(cpu);
  return own.has(cpu) && one.apply() && own.apply();
}

PinThread::PinThread(const CpuList& cpus) noexcept {
  if (cpus.empty()) return;
  CpuMask wanted;
  for (const unsigned cpu : cpus) wanted.set(cpu);
  saved_ = CpuMask::of_thread();
  pinned_ = !saved_.empty() && wanted.apply();
}

PinThread::~PinThread() {
  if (pinned_) static_cast<void>(saved_.apply());
}

}  // namespace lanewise::host

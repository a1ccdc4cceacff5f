// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/seats.h"

#include <sched.h>

#include <algorithm>

#include "src/base/clock.h"
#include "src/host/pin.h"

namespace lanewise {

namespace {
constexpr std::uint64_t kBetweenMovesNs = 1'000'000;
/// When the calling thread moved last.
constinit thread_local std::uint64_t t_moved_ns = 0;
}  // namespace

void Seats::Seat::leave() noexcept {
  if (taken_ != nullptr) taken_->fetch_sub(1, std::memory_order_relaxed);
  taken_ = nullptr;
  processor_ = -1;
}

Seats::Seats(const host::CpuList& cpus)
    : places_(cpus.empty() ? 0 : *std::max_element(cpus.begin(), cpus.end()) + std::size_t{1}) {}

void Seats::settle(Seat& seat) noexcept {
  const int cpu = sched_getcpu();
  if (cpu < 0 || static_cast<std::size_t>(cpu) >= places_.size()) return seat.leave();
  if (cpu != seat.processor_) {
    seat.leave();
    places_[static_cast<std::size_t>(cpu)].taken.fetch_add(1, std::memory_order_relaxed);
    sit(seat, static_cast<unsigned>(cpu));
  }
  if (seat.taken_->load(std::memory_order_relaxed) > 1) [[unlikely]]
    move(seat);
}

void Seats::sit(Seat& seat, unsigned cpu) noexcept {
  seat.taken_ = &places_[cpu].taken;
  seat.processor_ = static_cast<int>(cpu);
}

void Seats::move(Seat& seat) noexcept {
  const std::uint64_t now = now_ns();
  if (now - t_moved_ns < kBetweenMovesNs) return;
  t_moved_ns = now;
  const host::CpuMask own = host::CpuMask::of_thread();
  for (unsigned cpu = 0; cpu < places_.size(); ++cpu) {
    int nobody = 0;
    if (!own.has(cpu) || !places_[cpu].taken.compare_exchange_strong(nobody, 1, std::memory_order_relaxed)) continue;
    seat.leave();
    sit(seat, cpu);
    if (!host::move_thread(cpu, own)) seat.leave();
    return;
  }
}

}  // namespace lanewise

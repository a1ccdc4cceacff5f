// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Second-tier code for a launch that has begun without: a launch of a second or two is hot by itself, and often the
/// only one of its kernel. What it takes is booked while it runs, and the chunks that begin once there is code run that.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/tier/tiers.h"

namespace lanewise {

/// Of one launch, which is constant; what it learns while it runs is not.
class LateCode {
 public:
  /// @param place   of the launch; its executable outlives this
  /// @param booked  what the launch will take has been booked when it was made
  LateCode(const Tiers::Place& place, bool booked) : place_(place), booked_(booked) {}

  /// Null: there is none yet. Alive as long as the executable.
  [[nodiscard]] const SpecialCode* code() const { return code_.load(std::memory_order_acquire); }

  /// After a chunk of the launch that has taken `ns`, while there is no code. Thread-safe.
  void book(std::uint64_t ns) const {
    if (unbooked_.fetch_add(ns, std::memory_order_relaxed) + ns < kInterval) return;
    const std::uint64_t taken = unbooked_.exchange(0, std::memory_order_relaxed);
    const SpecialForms forms = place_.forms(booked_ ? 0 : taken, {.lanes = Lanes::fixed, .may_use_copies = false});
    if (forms.best != nullptr) code_.store(forms.best, std::memory_order_release);
  }

 private:
  /// Counts as a launch for Tiers, to which several of them make a kernel hot.
  static constexpr std::uint64_t kInterval = 5'000'000;

  Tiers::Place place_;
  bool booked_;
  mutable std::atomic<std::uint64_t> unbooked_{0};
  mutable std::atomic<const SpecialCode*> code_{nullptr};
};

}  // namespace lanewise

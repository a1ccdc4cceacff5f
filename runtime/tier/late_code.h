// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Second-tier code for a launch that has begun without it. A launch of a second or two is hot by itself, and often the
/// only one of its kernel. Its time is booked while it runs, and chunks that begin after the code exists run that code.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/tier/tiers.h"

namespace lanewise {

/// The late code of one launch. The launch is constant; the mutable members are what it learns while it runs.
class LateCode {
 public:
  /// @param place   the place of the launch; its executable outlives this object
  /// @param booked  the expected time of the launch has been booked at its enqueue
  LateCode(const Tiers::Place& place, bool booked) : place_(place), booked_(booked) {}

  /// The code, alive as long as the executable. Null: there is none yet.
  [[nodiscard]] const SecondTierCode* code() const { return code_.load(std::memory_order_acquire); }

  /// Books a chunk that has taken `ns` nanoseconds; called while there is no code. Thread-safe.
  void book(std::uint64_t ns) const {
    if (unbooked_.fetch_add(ns, std::memory_order_relaxed) + ns < kInterval) return;
    const std::uint64_t taken = unbooked_.exchange(0, std::memory_order_relaxed);
    const SecondTierForms forms = place_.forms(booked_ ? 0 : taken, {.lanes = LaneUse::fixed, .may_use_copies = false});
    if (forms.best != nullptr) code_.store(forms.best, std::memory_order_release);
  }

 private:
  /// Nanoseconds that count as one launch for Tiers, where several launches make a kernel hot.
  static constexpr std::uint64_t kInterval = 5'000'000;

  Tiers::Place place_;
  bool booked_;
  mutable std::atomic<std::uint64_t> unbooked_{0};  ///< nanoseconds
  mutable std::atomic<const SecondTierCode*> code_{nullptr};
};

}  // namespace lanewise

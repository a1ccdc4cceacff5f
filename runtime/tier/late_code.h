// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Second-tier code for a launch that has begun without: a launch of a second or two is hot by itself, and often the
/// only one of its kernel. What it takes is booked while it runs, and the chunks that begin once there is code run that.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "runtime/tier/tiers.h"

namespace lanewise {

class LateCode {
 public:
  /// @param place   of the launch; its executable outlives this
  /// @param booked  what the launch will take has been booked when it was made
  void wait_for(const Tiers::Place& place, bool booked) {
    place_.emplace(place);
    booked_ = booked;
  }
  [[nodiscard]] bool is_awaited() const { return place_.has_value(); }
  /// Null: there is none yet. Alive as long as the executable.
  [[nodiscard]] const SpecialCode* code() const { return code_.load(std::memory_order_acquire); }

  /// After a chunk of the launch that has taken `ns`, while there is no code. Thread-safe.
  void book(std::uint64_t ns) {
    if (unbooked_.fetch_add(ns, std::memory_order_relaxed) + ns < kInterval) return;
    const std::uint64_t taken = unbooked_.exchange(0, std::memory_order_relaxed);
    const SpecialForms forms = place_->forms(booked_ ? 0 : taken, {.lanes = Lanes::fixed, .may_use_copies = false});
    if (forms.best != nullptr) code_.store(forms.best, std::memory_order_release);
  }

 private:
  /// Counts as a launch for Tiers, to which several of them make a kernel hot.
  static constexpr std::uint64_t kInterval = 5'000'000;

  std::optional<Tiers::Place> place_;
  bool booked_ = false;
  std::atomic<std::uint64_t> unbooked_{0};
  std::atomic<const SpecialCode*> code_{nullptr};
};

}  // namespace lanewise

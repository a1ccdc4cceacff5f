// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The estimated cost of one launch, and where its measured time is stored.
#pragma once

#include <cstdint>

#include "runtime/tier/cost.h"
#include "src/base/rounding.h"

namespace lanewise {

/// The estimate for one launch. A row is the number of neighbouring groups that the code runs at once, in one vector.
class LaunchCost {
 public:
  /// Chooses the launch; called first.
  /// @param kernel  Kernel::identity
  /// @param items   work-items of a group
  /// @param groups  groups of the launch
  /// @param narrow  the launch has fewer work-items in a row than the code has lanes. Each number of groups then has an
  ///                estimate of its own, because a vector costs about the same with few lanes as with all
  void set(std::uint64_t kernel, std::uint64_t items, std::uint64_t groups, bool narrow) {
    groups_ = groups;
    key_ = CostEstimate::key_of(kernel, narrow ? items ^ groups << 32U : items);
    estimate_ = &CostEstimate::of(key_);
  }
  /// Estimated nanoseconds of all groups if every row were full; 0: not known.
  [[nodiscard]] std::uint64_t full_ns() const { return estimate_->ns(key_) * groups_; }
  /// The grain of the launch in groups. It is less than a row if dividing rows among threads has been measured to be
  /// faster.
  /// @param row      groups that the code runs at once
  /// @param threads  the largest number of participants
  std::uint64_t grain(std::uint64_t row, std::uint64_t threads) {
    places_ = round_up(groups_, row);
    return row != 1 && groups_ / threads < row ? divided(row, threads) : row;
  }
  /// Switches to the estimate for launches that run one work-item at a time.
  void set_scalar() {
    key_ = CostEstimate::key_of_scalar(key_);
    estimate_ = &CostEstimate::of(key_);
  }
  /// Switches to the estimate for launches that work on private copies.
  void set_copies() {
    key_ = CostEstimate::key_of_copies(key_);
    estimate_ = &CostEstimate::of(key_);
  }
  /// Estimated nanoseconds per group; 0: not known.
  [[nodiscard]] std::uint64_t group_ns() const {
    const std::uint64_t ns = estimate_->ns(key_);
    return places_ == groups_ ? ns : ns * places_ / groups_;
  }
  /// Adds the measured time of the launch, in nanoseconds summed over all threads.
  void book(std::uint64_t ns) const {
    const std::uint64_t key = divided_ ? CostEstimate::key_of_parts(key_) : key_;
    CostEstimate::of(key).add(key, divided_ ? groups_ : places_, ns);
  }

 private:
  /// The grain of a launch that has fewer rows than there are threads. A vector under a mask costs as much as a full
  /// one, so dividing a row pays only where each lane has a cost of its own. The division is tried once and measured.
  std::uint64_t divided(std::uint64_t row, std::uint64_t threads);

  std::uint64_t groups_ = 0;
  std::uint64_t places_ = 0;  ///< number of groups, rounded up to whole rows
  std::uint64_t key_ = 0;
  CostEstimate* estimate_ = nullptr;
  bool divided_ = false;  ///< the grain is less than a row
};

}  // namespace lanewise

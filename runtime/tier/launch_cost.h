// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The estimated cost of one launch, and where its measured time is stored.
#pragma once

#include <cstdint>

#include "runtime/tier/cost.h"

namespace lanewise {

class LaunchCost {
 public:
  /// @param kernel  Kernel::identity
  /// @param items   work-items of a group
  /// @param narrow  the launch has fewer work-items in a row than the code has lanes. Then there is an estimate for
  /// each
  ///                number of groups, because a vector costs about the same with few lanes and with all of them
  void set(std::uint64_t kernel, std::uint64_t items, std::uint64_t groups, bool narrow) {
    groups_ = groups;
    key_ = CostEstimate::key_of(kernel, narrow ? items ^ groups << 32U : items);
    estimate_ = &CostEstimate::of(key_);
  }
  /// Nanoseconds of all groups if every row were full; 0: not known.
  [[nodiscard]] std::uint64_t full_ns() const { return estimate_->ns(key_) * groups_; }
  /// The grain of a launch, in groups, whose code runs `row` groups at once. Less than a row if dividing rows among
  /// this many threads has been measured to be faster.
  std::uint64_t grain(std::uint64_t row, std::uint64_t threads) {
    places_ = (groups_ + row - 1) / row * row;
    return row != 1 && groups_ / threads < row ? divided(row, threads) : row;
  }
  /// The launch runs one work-item at a time, which has an estimate of its own.
  void set_scalar() {
    key_ = CostEstimate::key_of_scalar(key_);
    estimate_ = &CostEstimate::of(key_);
  }
  /// The launch works on private copies, likewise.
  void set_copies() {
    key_ = CostEstimate::key_of_copies(key_);
    estimate_ = &CostEstimate::of(key_);
  }
  /// Nanoseconds per group; 0: not known.
  [[nodiscard]] std::uint64_t group_ns() const {
    const std::uint64_t ns = estimate_->ns(key_);
    return places_ == groups_ ? ns : ns * places_ / groups_;
  }
  /// Adds the measured time of the launch, summed over all threads.
  void book(std::uint64_t ns) const {
    const std::uint64_t key = divided_ ? CostEstimate::key_of_parts(key_) : key_;
    CostEstimate::of(key).add(key, divided_ ? groups_ : places_, ns);
  }

 private:
  /// If a launch has fewer rows than there are threads, dividing a row among threads may still be faster: a vector with
  /// a mask costs as much as a full one, except where each lane has a cost of its own. This is tried once and measured.
  std::uint64_t divided(std::uint64_t row, std::uint64_t threads);

  std::uint64_t groups_ = 0;
  std::uint64_t places_ = 0;  ///< the number of groups rounded up to whole rows, by which the time is divided
  std::uint64_t key_ = 0;
  CostEstimate* estimate_ = nullptr;
  bool divided_ = false;  ///< pieces are parts of rows
};

}  // namespace lanewise

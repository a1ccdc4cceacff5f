// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What one launch is going to take as far as that is known, and where it books what it took.
#pragma once

#include <cstdint>

#include "runtime/launch/cost.h"

namespace lanewise {

class LaunchCost {
 public:
  /// @param kernel  Kernel::identity
  /// @param items   work-items of a group
  /// @param narrow  the launch has fewer work-items in a row than the code has lanes: it is booked by their number,
  ///                because a vector costs much the same with few and with all of its lanes
  void set(std::uint64_t kernel, std::uint64_t items, std::uint64_t groups, bool narrow) {
    groups_ = groups;
    key_ = CostEstimate::key_of(kernel, narrow ? items ^ groups << 32U : items);
    estimate_ = &CostEstimate::of(key_);
  }
  /// Nanoseconds of all groups, if each took as long as one that shares its vectors with its neighbours; 0: not known.
  [[nodiscard]] std::uint64_t full_ns() const { return estimate_->ns(key_) * groups_; }
  /// How many groups make a piece of the launch, where the code runs `row` groups at once: less than a row where that
  /// has been seen to be worth it for so many threads.
  std::uint64_t grain(std::uint64_t row, std::uint64_t threads) {
    places_ = (groups_ + row - 1) / row * row;
    return row != 1 && groups_ / threads < row ? divided(row, threads) : row;
  }
  /// It runs one work-item at a time, and is booked as one that does.
  void set_scalar() {
    key_ = CostEstimate::key_of_scalar(key_);
    estimate_ = &CostEstimate::of(key_);
  }
  /// Nanoseconds of a group; 0: not known.
  [[nodiscard]] std::uint64_t group_ns() const {
    const std::uint64_t ns = estimate_->ns(key_);
    return places_ == groups_ ? ns : ns * places_ / groups_;
  }
  /// The launch took so long, on all threads together.
  void book(std::uint64_t ns) const {
    const std::uint64_t key = divided_ ? CostEstimate::key_of_parts(key_) : key_;
    CostEstimate::of(key).add(key, divided_ ? groups_ : places_, ns);
  }

 private:
  /// Where a launch has fewer rows than there are threads, the lanes of a row may still be worth sharing: a vector
  /// with a mask costs as much as a full one, except where each lane costs by itself. Tried once and measured.
  std::uint64_t divided(std::uint64_t row, std::uint64_t threads);

  std::uint64_t groups_ = 0;
  std::uint64_t places_ = 0;  ///< the groups, and as many as fit beside them into rows: what the time is divided by
  std::uint64_t key_ = 0;
  CostEstimate* estimate_ = nullptr;
  bool divided_ = false;  ///< pieces are parts of rows
};

}  // namespace lanewise

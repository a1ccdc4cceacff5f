// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/launch_cost.h"

namespace lanewise {

namespace {

/// A row is divided among threads if that makes a launch so much shorter; else it would only use more of the machine.
constexpr double kWorthDividing = 0.8;
/// Nor for less than this, in nanoseconds.
constexpr std::uint64_t kLeastDivided = 100'000;

}  // namespace

std::uint64_t LaunchCost::divided(std::uint64_t row, std::uint64_t threads) {
  const std::uint64_t ns = estimate_->ns(key_);
  if (ns < kLeastDivided / places_) return row;  // or not known
  const std::uint64_t share = (groups_ + threads - 1) / threads;
  const std::uint64_t key = CostEstimate::key_of_parts(key_);
  const std::uint64_t part_ns = CostEstimate::of(key).ns(key);
  const auto row_ns = static_cast<double>(ns) * static_cast<double>(row);
  if (static_cast<double>(part_ns) * static_cast<double>(share) > kWorthDividing * row_ns) return row;
  divided_ = true;
  return share;
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/tier/launch_cost.h"

#include "src/base/rounding.h"

namespace lanewise {

namespace {

/// A row is divided among threads if the launch then takes at most this part of the time; a smaller gain would not
/// justify the use of more threads.
constexpr double kWorthDividing = 0.8;
/// Rows of launches below this many nanoseconds are not divided.
constexpr std::uint64_t kLeastDivided = 100'000;

}  // namespace

std::uint64_t LaunchCost::divided(std::uint64_t row, std::uint64_t threads) {
  const std::uint64_t ns = estimate_->ns(key_);
  if (ns < kLeastDivided / places_) return row;  // also if it is not known
  const std::uint64_t share = divide_up(groups_, threads);
  const std::uint64_t key = CostEstimate::key_of_parts(key_);
  const std::uint64_t part_ns = CostEstimate::of(key).ns(key);
  const auto row_ns = static_cast<double>(ns) * static_cast<double>(row);
  if (static_cast<double>(part_ns) * static_cast<double>(share) > kWorthDividing * row_ns) return row;
  divided_ = true;
  return share;
}

}  // namespace lanewise

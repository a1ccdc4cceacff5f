// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/base/rounding.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace lanewise {
namespace {

TEST(Rounding, DividesUp) {
  static_assert(divide_up(0U, 4) == 0);
  static_assert(divide_up(1U, 4) == 1);
  static_assert(divide_up(4U, 4) == 1);
  static_assert(divide_up(5U, 4) == 2);
  for (std::int64_t value = 0; value < 50; ++value)
    for (std::int64_t divisor = 1; divisor < 12; ++divisor) {
      const std::int64_t steps = divide_up(value, divisor);
      EXPECT_GE(steps * divisor, value);
      EXPECT_LT((steps - 1) * divisor, value);
    }
}

TEST(Rounding, RoundsUpToMultiples) {
  static_assert(round_up(std::uint8_t{13}, 8) == 16);
  for (unsigned value = 0; value < 50; ++value)
    for (unsigned step = 1; step < 12; ++step) {
      EXPECT_EQ(round_up(value, step) % step, 0U);
      EXPECT_EQ(round_up(value, step) - value, (step - value % step) % step);
    }
}

TEST(Rounding, WorksUpToTheLargestNumber) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  static_assert(divide_up(kMost, 2) == std::uint64_t{1} << 63U);
  static_assert(divide_up(kMost, kMost) == 1);
  static_assert(round_up(kMost - 1, kMost) == kMost);
}

}  // namespace
}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Numbers of work-items or work-groups in the three dimensions of an index space.
#pragma once

#include <array>
#include <cstdint>

namespace lanewise {

/// A number for each dimension: x, y, z. Unused dimensions have size 1 and offset 0.
using Sizes = std::array<std::uint64_t, 3>;

/// The product; the largest number if it overflows.
constexpr std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? ~std::uint64_t{0} : result;
}
constexpr std::uint64_t product_of(const Sizes& sizes) {
  std::uint64_t result = 1;
  for (const std::uint64_t size : sizes) result = saturating_product(result, size);
  return result;
}

}  // namespace lanewise

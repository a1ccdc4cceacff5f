// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Rounding up, for numbers that are not negative. Intermediate results do not overflow.
#pragma once

#include <concepts>
#include <type_traits>

namespace lanewise {

/// `value / divisor` rounded up; `divisor` is at least 1.
template <std::integral T>
[[nodiscard]] constexpr T divide_up(T value, std::type_identity_t<T> divisor) noexcept {
  return static_cast<T>(value / divisor + (value % divisor != 0 ? 1 : 0));
}

/// The smallest multiple of `step` (at least 1) that is not below `value`. It must be representable as a T.
template <std::integral T>
[[nodiscard]] constexpr T round_up(T value, std::type_identity_t<T> step) noexcept {
  return static_cast<T>(divide_up(value, step) * step);
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The error of a result, in units in the last place.
#pragma once

#include <cmath>
#include <limits>

#include "conformance/ulp/number.h"

namespace lanewise::ulp {

inline constexpr double kWrong = std::numeric_limits<double>::infinity();

/// The error of `got` against the exact result, in ULP as the SPIR-V environment specification, section 8.4, defines
/// it: the distance of the two numbers of the type that enclose the exact result. Subnormal results are demanded. An
/// infinity counts as the number that would follow the largest. kWrong: NaN for a number or the reverse, or a wrong
/// zero.
/// @param exact  to 64 bits
/// @param signs  whether the sign of an exact zero counts
template <class T>
double ulp_error(T got, long double exact, bool signs) {
  constexpr int kDigits = Format<T>::kDigits, kLeast = Format<T>::kLeast, kMost = Format<T>::kMost;
  const auto value = static_cast<long double>(got);
  if (std::isnan(exact)) return std::isnan(value) ? 0 : kWrong;
  if (std::isnan(value)) return kWrong;
  const bool same_sign = std::signbit(value) == std::signbit(exact);
  if (exact == 0) return value != 0 ? kWrong : !signs || same_sign ? 0 : kWrong;
  if (std::isinf(exact)) return std::isinf(value) && same_sign ? 0 : kWrong;
  int exponent = 0;
  std::frexp(exact, &exponent);
  exponent = exponent - 1 < kLeast ? kLeast : exponent > kMost ? kMost - 1 : exponent - 1;
  if (std::isinf(value) && std::fabs(exact) >= std::ldexp(1.0L, kMost) && same_sign) return 0;
  const long double counted = std::isinf(value) ? std::copysign(std::ldexp(1.0L, kMost), value) : value;
  return static_cast<double>(std::fabs(std::ldexp(counted - exact, kDigits - 1 - exponent)));
}

}  // namespace lanewise::ulp

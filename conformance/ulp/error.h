// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How far a result is off, in units in the last place.
#pragma once

#include <cmath>
#include <limits>

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
  constexpr int kDigits = std::numeric_limits<T>::digits;
  constexpr int kLeast = std::numeric_limits<T>::min_exponent - 1;
  constexpr int kMost = std::numeric_limits<T>::max_exponent;
  if (std::isnan(exact)) return std::isnan(got) ? 0 : kWrong;
  if (std::isnan(got)) return kWrong;
  if (exact == 0) return got != 0 ? kWrong : !signs || std::signbit(got) == std::signbit(exact) ? 0 : kWrong;
  if (std::isinf(exact)) return std::isinf(got) && std::signbit(got) == std::signbit(exact) ? 0 : kWrong;
  int exponent = 0;
  std::frexp(exact, &exponent);
  exponent = exponent - 1 < kLeast ? kLeast : exponent > kMost ? kMost - 1 : exponent - 1;
  long double value = got;
  if (std::isinf(got)) value = std::copysign(std::ldexp(1.0L, kMost), static_cast<long double>(got));
  if (std::isinf(got) && std::fabs(exact) >= std::ldexp(1.0L, kMost) && std::signbit(got) == std::signbit(exact))
    return 0;
  return static_cast<double>(std::fabs(std::ldexp(value - exact, kDigits - 1 - exponent)));
}

}  // namespace lanewise::ulp

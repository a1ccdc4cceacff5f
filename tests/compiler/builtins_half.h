// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Half values on the host, as bits, with a reference conversion that is independent of the code under test.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace lanewise::test {

using HalfBits = std::uint16_t;
using Wide = long double;

enum class Rounding { nearest, zero, up, down };

inline constexpr Wide kLargestHalf = 65504;

inline bool is_nan(HalfBits h) {
  return (h & 0x7fff) > 0x7c00;
}

inline Wide wide_of(HalfBits h) {
  const int exponent = h >> 10 & 31, fraction = h & 1023;
  const Wide sign = h & 0x8000 ? -1 : 1;
  if (exponent == 31)
    return fraction != 0 ? std::copysign(std::numeric_limits<Wide>::quiet_NaN(), sign) : sign * HUGE_VALL;
  return sign * (exponent == 0 ? std::ldexp(Wide(fraction), -24) : std::ldexp(Wide(1024 + fraction), exponent - 25));
}

/// x, which may have any sign and size, as a half. NaN is 0x7e00.
inline HalfBits half_of(Wide x, Rounding rounding = Rounding::nearest) {
  if (std::isnan(x)) return 0x7e00;
  const HalfBits sign = std::signbit(x) ? 0x8000 : 0;
  const Wide magnitude = std::abs(x);
  if (std::isinf(magnitude)) return sign | 0x7c00;
  if (magnitude == 0) return sign;
  const int place = std::max(std::ilogb(magnitude), -14) - 10;  // of the last bit
  const Wide scaled = std::ldexp(magnitude, -place);
  const bool away = rounding == (sign != 0 ? Rounding::down : Rounding::up);
  const Wide units = rounding == Rounding::nearest ? std::nearbyint(scaled)
                     : away                        ? std::ceil(scaled)
                                                   : std::floor(scaled);
  const Wide value = std::ldexp(units, place);
  if (value > kLargestHalf) return sign | (rounding == Rounding::nearest || away ? 0x7c00 : 0x7bff);
  // Encodings grow with the values: the significand of a normal value is 1024 to 2048 units.
  const int biased = std::max(place + 25, 1);
  return static_cast<HalfBits>(sign | ((biased - 1) * 1024 + static_cast<int>(units)));
}

inline std::vector<HalfBits> all_halves() {
  std::vector<HalfBits> out(65536);
  for (unsigned i = 0; i < 65536; ++i) out[i] = static_cast<HalfBits>(i);
  return out;
}

}  // namespace lanewise::test

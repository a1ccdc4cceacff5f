// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The formats of the three types, of which the standard library describes only float and double.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

namespace lanewise::ulp {

using Half = _Float16;

/// kDigits: bits of the significand; normal numbers are 2^kLeast to below 2^kMost.
template <class T>
struct Format {
  static constexpr int kDigits = std::numeric_limits<T>::digits;
  static constexpr int kLeast = std::numeric_limits<T>::min_exponent - 1;
  static constexpr int kMost = std::numeric_limits<T>::max_exponent;
};
template <>
struct Format<Half> {
  static constexpr int kDigits = 11;
  static constexpr int kLeast = -14;
  static constexpr int kMost = 16;
};

template <class T>
struct BitsOf;
template <>
struct BitsOf<Half> {
  using type = std::uint16_t;
};
template <>
struct BitsOf<float> {
  using type = std::uint32_t;
};
template <>
struct BitsOf<double> {
  using type = std::uint64_t;
};
template <class T>
using Bits = typename BitsOf<T>::type;

template <class T>
T from_bits(Bits<T> bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T>
Bits<T> to_bits(T value) {
  Bits<T> bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// For positive numbers, whose bits are ordered like the numbers.
template <class T>
T infinity() {
  return from_bits<T>(
      static_cast<Bits<T>>(((Bits<T>{1} << (8 * sizeof(T) - Format<T>::kDigits)) - 1) << (Format<T>::kDigits - 1)));
}
template <class T>
T next(T positive) {
  return from_bits<T>(static_cast<Bits<T>>(to_bits(positive) + 1));
}
template <class T>
T previous(T positive) {
  return from_bits<T>(static_cast<Bits<T>>(to_bits(positive) - 1));
}

}  // namespace lanewise::ulp

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Deterministic random numbers, which are the same on every machine and with every standard library. Not for secrets.
#pragma once

#include <cstdint>

namespace lanewise {

/// Spreads each bit of the number over all bits of the result: the last step of SplitMix64. Different numbers have
/// different results.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t z) noexcept {
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
class SplitMix {
 public:
  constexpr explicit SplitMix(std::uint64_t seed) : state_(seed) {}
  constexpr std::uint64_t next() noexcept {
    state_ += 0x9E3779B97F4A7C15U;
    return mixed(state_);
  }

 private:
  std::uint64_t state_;
};

}  // namespace lanewise

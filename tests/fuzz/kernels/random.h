// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Deterministic random numbers: the same on every machine and with every standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanewise::fuzz {

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }
  /// In [0, n); n > 0.
  unsigned below(std::uint64_t n) { return static_cast<unsigned>(next() % n); }
  /// In [low, high].
  unsigned between(unsigned low, unsigned high) { return low + below(high - low + 1); }
  bool percent(unsigned p) { return below(100) < p; }
  template <class T>
  const T& pick(const std::vector<T>& list) {
    return list[below(list.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace lanewise::fuzz

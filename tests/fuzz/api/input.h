// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The fuzzer's input: records of fixed size, one API call each, so that libFuzzer's mutations can move, drop and
/// double whole calls (api_fuzzer.cpp), and a change of one argument does not change the others.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "src/base/random.h"

namespace lanewise::fuzz {

inline constexpr std::size_t kRecordBytes = 16;
using Record = std::array<std::uint8_t, kRecordBytes>;

/// The arguments of one call, drawn from its record: first its bytes, then pseudo-random numbers seeded by them.
class Draw {
 public:
  explicit Draw(const std::uint8_t* record) {
    std::memcpy(bytes_.data(), record, kRecordBytes);
    std::uint64_t seed = 0xcbf29ce484222325U;
    for (const std::uint8_t byte : bytes_) seed = (seed ^ byte) * 0x100000001b3U;  // FNV-1a
    random_ = SplitMix(seed);
  }

  std::uint8_t byte() {
    if (next_ < kRecordBytes) return bytes_[next_++];
    return static_cast<std::uint8_t>(random_.next());
  }
  /// 0 to n - 1; n is 1 to 256.
  unsigned below(unsigned n) { return byte() % n; }
  bool one_in(unsigned n) { return below(n) == 0; }
  std::uint32_t word() {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value = value << 8 | byte();
    return value;
  }
  template <class T, std::size_t kCount>
  T among(const T (&values)[kCount]) {
    static_assert(kCount <= 256);
    return values[below(kCount)];
  }
  /// An or of some of the values, often of none or one.
  template <class T, std::size_t kCount>
  T some_of(const T (&values)[kCount]) {
    T all = 0;
    for (unsigned count = below(4); count > 1; --count) all |= among(values);
    return one_in(3) ? 0 : all | among(values);
  }

 private:
  Record bytes_{};
  std::size_t next_ = 0;
  SplitMix random_{0};
};

}  // namespace lanewise::fuzz

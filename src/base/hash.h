// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// XXH3-128, for cache keys and checksums. The hash does not resist attacks: the files that it checks are in a private
/// directory.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace lanewise {

/// A hash of 128 bits.
struct Hash128 {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend bool operator==(const Hash128&, const Hash128&) = default;

  /// The hash as 32 hexadecimal digits, usable as a file name.
  [[nodiscard]] std::string text() const {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string out(32, '0');
    for (unsigned i = 0; i < 16; ++i) {
      out[i] = kDigits[(high >> (60 - 4 * i)) & 15];
      out[16 + i] = kDigits[(low >> (60 - 4 * i)) & 15];
    }
    return out;
  }
};

inline Hash128 hash_bytes(std::span<const std::uint8_t> bytes, std::uint64_t seed = 0) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
  return {hash.low64, hash.high64};
}

}  // namespace lanewise

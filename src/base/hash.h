// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// XXH3-128: cache keys, checksums and the contents of included files. Fast, and not against an adversary: what it
/// protects lies in a private directory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// The wrapper's functions must not share inline definitions with another xxHash in the application.
#define XXH_INLINE_ALL
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#include <xxhash.h>
#pragma clang diagnostic pop

namespace lanewise {

struct Hash128 {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend bool operator==(const Hash128&, const Hash128&) = default;
  friend auto operator<=>(const Hash128&, const Hash128&) = default;

  /// 32 lower-case hexadecimal digits, the high half first.
  [[nodiscard]] std::string hex() const {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string out(32, '0');
    for (unsigned i = 0; i < 16; ++i) {
      out[15 - i] = kDigits[high >> (4 * i) & 15];
      out[31 - i] = kDigits[low >> (4 * i) & 15];
    }
    return out;
  }
};

inline Hash128 hash_bytes(std::span<const std::uint8_t> bytes) {
  const XXH128_hash_t h = XXH3_128bits(bytes.data(), bytes.size());
  return {h.low64, h.high64};
}
inline Hash128 hash_text(std::string_view text) {
  return hash_bytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

}  // namespace lanewise

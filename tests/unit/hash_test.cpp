// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/base/hash.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace lanewise {
namespace {

TEST(Hash, KnownValueOfTheEmptyInput) {
  // XXH3_128bits of empty input with seed 0, from the algorithm's own test vectors: entries made by another build of
  // the driver must stay valid.
  const Hash128 hash = hash_bytes({});
  EXPECT_EQ(hash.low, 0x6001c324468d497fULL);
  EXPECT_EQ(hash.high, 0x99aa06d3014798d8ULL);
  EXPECT_EQ(hash.text(), "99aa06d3014798d86001c324468d497f");
}

TEST(Hash, TextHasLeadingZeros) {
  EXPECT_EQ((Hash128{0xabc, 1}.text()), "00000000000000010000000000000abc");
}

TEST(Hash, EveryLengthAndEveryBitMatters) {
  std::set<std::string> seen;
  std::vector<std::uint8_t> bytes;
  for (std::size_t size = 0; size < 600; ++size) {
    EXPECT_TRUE(seen.insert(hash_bytes(bytes).text()).second) << size;
    bytes.push_back(0);
  }
  for (std::size_t bit = 0; bit < bytes.size() * 8; bit += 7) {
    bytes[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
    EXPECT_TRUE(seen.insert(hash_bytes(bytes).text()).second) << bit;
    bytes[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
  }
}

TEST(Hash, SeedsDiffer) {
  const std::vector<std::uint8_t> bytes(100, 5);
  EXPECT_NE(hash_bytes(bytes, 0), hash_bytes(bytes, 1));
}

}  // namespace
}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/base/random.h"

#include <gtest/gtest.h>

#include <set>

namespace lanewise {
namespace {

TEST(Random, IsSplitMix64) {
  // The numbers of the authors' own implementation for this seed.
  SplitMix random(1234567);
  for (const std::uint64_t expected :
       {6457827717110365317U, 3203168211198807973U, 9817491932198370423U, 4593380528125082431U, 16408922859458223821U})
    EXPECT_EQ(random.next(), expected);
}

TEST(Random, MixesNeighboursApart) {
  std::set<std::uint64_t> upper;
  for (std::uint64_t i = 1; i <= 1000; ++i) upper.insert(mixed(i) >> 40U);
  EXPECT_GT(upper.size(), 990U);
  EXPECT_EQ(mixed(0), 0U);
}

TEST(Random, DrawsEvenly) {
  int hits = 0;
  SplitMix random(1);
  for (int i = 0; i < 160'000; ++i) hits += random.next() % 16 == 0 ? 1 : 0;
  EXPECT_NEAR(hits, 10'000, 500);
}

}  // namespace
}  // namespace lanewise

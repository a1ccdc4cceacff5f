// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

namespace lanewise {
namespace {

class PagesTest : public ::testing::Test {
 protected:
  void SetUp() override { drop_kept_pages(); }
  void TearDown() override { drop_kept_pages(); }
};

TEST_F(PagesTest, ABlockIsAsLargeAsItsClassAndNotMuchLarger) {
  std::size_t last = 0;
  for (std::size_t bytes = 1; bytes < std::size_t{1} << 31; bytes += bytes / 7 + 1) {
    const std::size_t rounded = page_class(bytes);
    EXPECT_GE(rounded, bytes);
    EXPECT_LE(rounded, bytes + bytes / 8 + 4096) << bytes;
    EXPECT_EQ(rounded % 4096, 0U) << bytes;
    EXPECT_EQ(page_class(rounded), rounded) << bytes;
    EXPECT_GE(rounded, last);
    last = rounded;
  }
}

TEST_F(PagesTest, WhatIsGivenBackServesTheNextOfItsSize) {
  const Pages first = take_pages(100'000);
  ASSERT_NE(first.data, nullptr);
  std::memset(first.data, 1, first.bytes);
  give_pages(first);
  EXPECT_EQ(kept_page_bytes(), first.bytes);
  const Pages other = take_pages(200'000);
  EXPECT_NE(other.data, first.data);
  const Pages again = take_pages(99'000);
  EXPECT_EQ(again.data, first.data);
  EXPECT_EQ(again.bytes, first.bytes);
  EXPECT_EQ(kept_page_bytes(), 0U);
  give_pages(other);
  give_pages(again);
}

TEST_F(PagesTest, WhatIsKeptIsBounded) {
  for (const std::size_t bytes : {std::size_t{4096}, std::size_t{3} << 20}) {
    std::vector<Pages> alive;
    for (std::size_t i = 0; i < kMostKeptBlocks + 10 && i * bytes < 3 * kMostKeptBytes; ++i)
      alive.push_back(take_pages(bytes));
    for (const Pages& pages : alive) {
      ASSERT_NE(pages.data, nullptr);
      give_pages(pages);
      EXPECT_LE(kept_page_bytes(), kMostKeptBytes);
    }
  }
  drop_kept_pages();
  EXPECT_EQ(kept_page_bytes(), 0U);
}

/// A large block costs no page faults when it is used again, and its memory is the system's meanwhile.
TEST_F(PagesTest, LargeBlocksAreLentToTheSystem) {
  const Pages first = take_pages(kLeastLentBytes);
  ASSERT_NE(first.data, nullptr);
  std::memset(first.data, 1, first.bytes);
  give_pages(first);
  EXPECT_EQ(kept_page_bytes(), first.bytes);
  // What the system does when it runs short of memory.
  ASSERT_EQ(madvise(first.data, first.bytes, MADV_DONTNEED), 0);
  const Pages again = take_pages(kLeastLentBytes - 1);
  EXPECT_EQ(again.data, first.data);
  EXPECT_EQ(again.data[first.bytes - 1], std::byte(0));
  std::memset(again.data, 2, again.bytes);
  EXPECT_EQ(again.data[first.bytes / 2], std::byte(2));
  give_pages(again);
}

TEST_F(PagesTest, LargeBlocksAreKeptBesideSmallOnes) {
  const Pages small = take_pages(kMostKeptBytes / 32);
  const Pages large = take_pages(kMostKeptBytes + 4097);
  give_pages(small);
  give_pages(large);
  EXPECT_EQ(kept_page_bytes(), small.bytes + large.bytes);
  const Pages huge = take_pages(kMostLentBytes + 1);
  ASSERT_NE(huge.data, nullptr);
  give_pages(huge);
  EXPECT_EQ(kept_page_bytes(), small.bytes + large.bytes);
}

TEST_F(PagesTest, MoreThanThereIsIsRefused) {
  EXPECT_EQ(take_pages(SIZE_MAX).data, nullptr);
  EXPECT_EQ(take_pages(SIZE_MAX / 2).data, nullptr);
}

TEST_F(PagesTest, BlocksOfSeveralThreadsAreDistinct) {
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 4; ++seed)
    threads.emplace_back([seed] {
      std::minstd_rand random(seed);
      std::vector<Pages> alive;
      for (int i = 0; i < 2000; ++i) {
        if (alive.size() < 8 && random() % 2 == 0) {
          alive.push_back(take_pages(1 + random() % 60'000));
          std::memset(alive.back().data, static_cast<int>(seed), alive.back().bytes);
        } else if (!alive.empty()) {
          const Pages one = alive.back();
          alive.pop_back();
          EXPECT_EQ(one.data[0], std::byte(seed));
          EXPECT_EQ(one.data[one.bytes - 1], std::byte(seed));
          give_pages(one);
        }
        if (i % 500 == 499) drop_kept_pages();
      }
      for (const Pages& one : alive) give_pages(one);
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace lanewise

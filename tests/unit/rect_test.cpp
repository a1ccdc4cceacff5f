// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic of rectangular regions, against byte-by-byte enumeration and the specification's own algorithm.
#include "runtime/layout/rect.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>

namespace lanewise {
namespace {

TEST(Rect, PitchDefaultsToPacked) {
  Pitch pitch{};
  ASSERT_TRUE(resolve_pitch({10, 4, 3}, 0, 0, pitch));
  EXPECT_EQ(pitch.row, 10u);
  EXPECT_EQ(pitch.slice, 40u);
  ASSERT_TRUE(resolve_pitch({10, 4, 3}, 16, 0, pitch));
  EXPECT_EQ(pitch.row, 16u);
  EXPECT_EQ(pitch.slice, 64u);
  ASSERT_TRUE(resolve_pitch({10, 4, 3}, 16, 80, pitch));
  EXPECT_EQ(pitch.slice, 80u);
}

TEST(Rect, PitchTooSmallIsRefused) {
  Pitch pitch{};
  EXPECT_FALSE(resolve_pitch({10, 4, 3}, 9, 0, pitch));
  EXPECT_FALSE(resolve_pitch({10, 4, 3}, 16, 63, pitch));
  EXPECT_FALSE(resolve_pitch({10, 4, 3}, 16, 70, pitch));  // not a multiple of the row pitch
  EXPECT_TRUE(resolve_pitch({10, 4, 3}, 10, 40, pitch));
}

TEST(Rect, OverflowIsSeen) {
  constexpr std::size_t kHuge = SIZE_MAX / 2 + 1;
  Pitch pitch{};
  std::size_t out = 0;
  EXPECT_FALSE(resolve_pitch({kHuge, 2, 1}, 0, 0, pitch));
  EXPECT_FALSE(rect_begin({0, kHuge, 0}, {2, 2}, out));
  EXPECT_FALSE(rect_begin({SIZE_MAX, 1, 0}, {1, 1}, out));
  EXPECT_FALSE(rect_begin({0, 0, 3}, {1, kHuge}, out));
  EXPECT_FALSE(rect_extent({4, 3, 1}, {kHuge, kHuge}, out));
  EXPECT_FALSE(rect_extent({4, 1, 3}, {4, kHuge}, out));
  EXPECT_TRUE(rect_extent({4, 1, 2}, {4, kHuge}, out));
  EXPECT_EQ(out, kHuge + 4);
}

TEST(Rect, BeginAndExtent) {
  std::size_t out = 0;
  ASSERT_TRUE(rect_begin({3, 2, 1}, {10, 100}, out));
  EXPECT_EQ(out, 123u);
  ASSERT_TRUE(rect_extent({3, 2, 4}, {10, 100}, out));
  EXPECT_EQ(out, 313u);
  ASSERT_TRUE(rect_extent({3, 1, 1}, {10, 100}, out));
  EXPECT_EQ(out, 3u);
}

/// Appendix D of the API specification, transcribed as a predicate.
bool spec_says_overlap(const Origin& source, const Origin& target, const Region& region, const Pitch& pitch) {
  const std::size_t slice_size = (region[1] - 1) * pitch.row + region[0];
  const std::size_t block = (region[2] - 1) * pitch.slice + slice_size;
  const auto start = [&](const Origin& o) { return o[2] * pitch.slice + o[1] * pitch.row + o[0]; };
  const auto fits = [](std::size_t a, std::size_t b, std::size_t size, std::size_t period) {
    return (b >= a + size && b + size <= a + period) || (a >= b + size && a + size <= b + period);
  };
  if (start(target) + block <= start(source) || start(source) + block <= start(target)) return false;
  if (fits(source[0] % pitch.row, target[0] % pitch.row, region[0], pitch.row)) return false;
  return !fits((source[1] * pitch.row + source[0]) % pitch.slice, (target[1] * pitch.row + target[0]) % pitch.slice,
               slice_size, pitch.slice);
}

std::set<std::size_t> bytes_of(std::size_t begin, const Region& region, const Pitch& pitch) {
  std::set<std::size_t> bytes;
  for (std::size_t z = 0; z < region[2]; ++z)
    for (std::size_t y = 0; y < region[1]; ++y)
      for (std::size_t x = 0; x < region[0]; ++x) bytes.insert(begin + z * pitch.slice + y * pitch.row + x);
  return bytes;
}

TEST(Rect, OverlapIsNeverMissedAndNeverInvented) {
  std::mt19937 random(3);
  const auto up_to = [&](std::size_t limit) { return random() % (limit + 1); };
  int overlapping = 0;
  int clear = 0;
  for (int round = 0; round < 20000; ++round) {
    const Region region{1 + up_to(6), 1 + up_to(3), 1 + up_to(2)};
    const Pitch pitch_rows{region[0] + up_to(6), 0};
    const Pitch pitch{pitch_rows.row, pitch_rows.row * (region[1] + up_to(3))};
    const Origin source{up_to(pitch.row), up_to(4), up_to(2)};
    const Origin target{up_to(pitch.row), up_to(4), up_to(2)};
    std::size_t a = 0;
    std::size_t b = 0;
    ASSERT_TRUE(rect_begin(source, pitch, a) && rect_begin(target, pitch, b));
    const bool says = rects_overlap(a, b, region, pitch);
    EXPECT_EQ(says, rects_overlap(b, a, region, pitch));
    const auto first = bytes_of(a, region, pitch);
    bool shared = false;
    for (const std::size_t byte : bytes_of(b, region, pitch)) shared = shared || first.contains(byte);
    // A copy that would read what it writes must be reported as an overlap ...
    if (shared) ASSERT_TRUE(says) << round;
    // ... and one that the specification allows must not.
    if (!spec_says_overlap(source, target, region, pitch)) ASSERT_FALSE(says) << round;
    ++(says ? overlapping : clear);
  }
  EXPECT_GT(overlapping, 1000);
  EXPECT_GT(clear, 1000);
}

/// Also for pitches that are no multiples of one another, and (one row, one slice) smaller than the region.
TEST(Rect, OverlapOfTwoPitchesIsNeverMissed) {
  std::mt19937 random(5);
  const auto up_to = [&](std::size_t limit) { return random() % (limit + 1); };
  int shared_count = 0;
  int clear = 0;
  for (int round = 0; round < 20000; ++round) {
    const Region region{1 + up_to(6), 1 + up_to(3), 1 + up_to(2)};
    const auto pitch = [&] {
      const std::size_t row = region[1] == 1 ? up_to(8) : region[0] + up_to(6);
      return Pitch{row, region[2] == 1 ? up_to(8) : row * region[1] + region[0] + up_to(9)};
    };
    const Pitch a_pitch = pitch();
    const Pitch b_pitch = up_to(1) == 0 ? a_pitch : pitch();
    const std::size_t a = up_to(60);
    const std::size_t b = up_to(60);
    const auto first = bytes_of(a, region, a_pitch);
    const auto second = bytes_of(b, region, b_pitch);
    const bool says = regions_overlap(a, a_pitch, b, b_pitch, region);
    bool shared = false;
    for (const std::size_t byte : second) shared = shared || first.contains(byte);
    if (shared) ASSERT_TRUE(says) << round;
    if (*first.rbegin() < b || *second.rbegin() < a) ASSERT_FALSE(says) << round;
    ++(shared ? shared_count : clear);
  }
  EXPECT_GT(shared_count, 1000);
  EXPECT_GT(clear, 1000);
}

TEST(Rect, RangesOverlap) {
  EXPECT_TRUE(ranges_overlap(0, 10, 9, 1));
  EXPECT_TRUE(ranges_overlap(9, 1, 0, 10));
  EXPECT_TRUE(ranges_overlap(4, 1, 4, 1));
  EXPECT_FALSE(ranges_overlap(0, 10, 10, 1));
  EXPECT_FALSE(ranges_overlap(10, 1, 0, 10));
  EXPECT_FALSE(ranges_overlap(4, 0, 4, 8));
  EXPECT_FALSE(ranges_overlap(0, 8, 4, 0));
}

}  // namespace
}  // namespace lanewise

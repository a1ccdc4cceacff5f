// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Pixels of two to four elements whose lanes are mostly neighbours, but come to the ends of rows, are clamped, or are not
/// all active (compiler/lanes/emit/fields.h).
#include <algorithm>
#include <cstdint>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

const char* const kSource = R"(
  kernel void tile(global const uchar* in, global uint* out, int pitch, int first) {
    int i = get_global_id(0), at = i / 19 * pitch + (i % 19 + first) * 3;
    at = at < 3 * 700 && at > 0 ? at : 0;
    uchar3 v = vload3(0, in + at);
    out[i] = v.x + v.y * 256u + v.z * 65536u;
  }
  kernel void clamped(global const ushort* in, global uint* out, int last, int shift) {
    int i = get_global_id(0), at = clamp(i + shift, 0, last) * 2;
    out[i] = in[at + 1] * 65536u + in[at];
  }
  kernel void backwards(global const float* in, global float* out, int last) {
    int i = get_global_id(0), at = clamp(last - i, 2, last) * 3;
    out[i] = in[at + 2] - in[at] * in[at + 1];
  }
  kernel void some(global const uchar* in, global uchar* out, int limit) {
    int i = get_global_id(0);
    if (in[i * 3] > limit) {
      uchar3 v = vload3(i, in);
      vstore3(v.zxy + (uchar3)(1, 2, 3), i, out);
    }
  }
  kernel void some_clamped(global const uchar* in, global uint* out, int limit, int last) {
    int i = get_global_id(0), at = min(i + 2, last) * 4;
    if (in[i] > limit) out[i] = in[at] + in[at + 1] * 256u + in[at + 3] * 65536u;
  }
  kernel void in_place(global uchar* io, int last) {
    int at = min((int)get_global_id(0), last) * 3;
    uchar r = io[at];
    io[get_global_id(0) * 3 + 1] = 7;
    io[get_global_id(0) * 3] = r + io[at + 1];
  })";

std::vector<std::uint8_t> bytes(std::size_t count) {
  std::vector<std::uint8_t> v(count);
  for (std::size_t i = 0; i < count; ++i) v[i] = static_cast<std::uint8_t>((i * 2654435761U) >> 13U);
  return v;
}

constexpr std::size_t kItems = 500;

TEST(PictureFields, OfATile) {
  auto in = bytes(3 * 700);
  for (const int first : {-5, 0, 4}) {
    for (const int pitch : {57, 60, 75, 0}) {
      std::vector<std::uint32_t> out(kItems);
      run(kSource, "tile", Range(kItems, 100), {buffer(in), buffer(out), value(pitch), value(first)});
      for (int i = 0; i < static_cast<int>(kItems); ++i) {
        int at = i / 19 * pitch + (i % 19 + first) * 3;
        at = at < 3 * 700 && at > 0 ? at : 0;
        const auto* p = in.data() + at;
        ASSERT_EQ(out[static_cast<std::size_t>(i)], p[0] + p[1] * 256U + p[2] * 65536U) << i << ' ' << pitch;
      }
    }
  }
}

TEST(PictureFields, OfClampedPlaces) {
  std::vector<std::uint16_t> in(2 * kItems);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint16_t>(i * 40503U);
  std::vector<float> numbers(3 * kItems);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 97);
  for (const int shift : {-700, -3, 0, 9}) {
    for (const int last : {0, 77, static_cast<int>(kItems) - 1}) {
      std::vector<std::uint32_t> out(kItems);
      run(kSource, "clamped", Range(kItems, 100), {buffer(in), buffer(out), value(last), value(shift)});
      for (int i = 0; i < static_cast<int>(kItems); ++i) {
        const auto at = static_cast<std::size_t>(std::clamp(i + shift, 0, last)) * 2;
        ASSERT_EQ(out[static_cast<std::size_t>(i)], in[at + 1] * 65536U + in[at]) << i << ' ' << last;
      }
      if (last < 2 || shift != 0) continue;
      std::vector<float> floats(kItems);
      run(kSource, "backwards", Range(kItems, 100), {buffer(numbers), buffer(floats), value(last)});
      for (int i = 0; i < static_cast<int>(kItems); ++i) {
        const auto at = static_cast<std::size_t>(std::clamp(last - i, 2, last)) * 3;
        ASSERT_EQ(floats[static_cast<std::size_t>(i)], numbers[at + 2] - numbers[at] * numbers[at + 1]) << i;
      }
    }
  }
}

TEST(PictureFields, OfSomeLanes) {
  auto in = bytes(4 * kItems);
  for (const int limit : {-1, 20, 128, 250, 255}) {
    const auto before = bytes(3 * kItems + 5);
    auto out = before;
    run(kSource, "some", Range(kItems, 100), {buffer(in), buffer(out), value(limit)});
    auto want = before;
    for (std::size_t i = 0; i < kItems; ++i) {
      if (in[3 * i] <= limit) continue;
      want[3 * i] = static_cast<std::uint8_t>(in[3 * i + 2] + 1);
      want[3 * i + 1] = static_cast<std::uint8_t>(in[3 * i] + 2);
      want[3 * i + 2] = static_cast<std::uint8_t>(in[3 * i + 1] + 3);
    }
    ASSERT_EQ(out, want) << limit;
    const int last = kItems - 1;
    std::vector<std::uint32_t> sums(kItems, 9);
    run(kSource, "some_clamped", Range(kItems, 100), {buffer(in), buffer(sums), value(limit), value(last)});
    for (int i = 0; i < static_cast<int>(kItems); ++i) {
      const auto* p = in.data() + static_cast<std::size_t>(std::min(i + 2, last)) * 4;
      const std::uint32_t sum = in[static_cast<std::size_t>(i)] > limit ? p[0] + p[1] * 256U + p[3] * 65536U : 9;
      ASSERT_EQ(sums[static_cast<std::size_t>(i)], sum) << i << ' ' << limit;
    }
  }
}

/// A store between the loads may change what the second one reads.
TEST(PictureFields, WithAStoreBetween) {
  const auto before = bytes(3 * kItems);
  auto io = before;
  const int last = kItems - 1;
  run(kSource, "in_place", Range(kItems, 100), {buffer(io), value(last)});
  for (std::size_t i = 0; i < kItems; ++i) {
    EXPECT_EQ(io[3 * i], static_cast<std::uint8_t>(before[3 * i] + 7)) << i;
    EXPECT_EQ(io[3 * i + 1], 7) << i;
  }
}

}  // namespace
}  // namespace lanewise::test

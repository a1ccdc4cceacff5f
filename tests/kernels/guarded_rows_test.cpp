// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels of two dimensions whose own conditions end rows and columns: rows that run together (register_blocking.h) are those
/// that are alike, and all others run as well.
#include <cstdint>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

const char* const kSource = R"(
  kernel void plain(global const uint* in, global uint* out, int width, int height, int depth) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    uint s = 1;
    for (int k = 0; k < depth; ++k) s = s * 3 + in[k * 64 + x] * in[y * 7 + k];
    out[y * get_global_size(0) + x] = s;
  }
  kernel void triangle(global const uint* in, global uint* out, int width, int height, int depth) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x > y) return;
    uint s = 1;
    for (int k = 0; k < depth; ++k) s = s * 3 + in[k * 64 + x] * in[y * 7 + k];
    out[y * get_global_size(0) + x] = s;
  }
  kernel void from_below(global const uint* in, global uint* out, int width, int height, int depth) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y < height) return;
    uint s = 1;
    for (int k = 0; k < depth; ++k) s = s * 3 + in[k * 64 + x] * in[y * 7 + k];
    out[y * get_global_size(0) + x] = s;
  }
  kernel void staged(global const uint* in, global uint* out, int width, int height, int depth) {
    local uint tile[64];
    int x = get_global_id(0), y = get_global_id(1), column = get_local_id(0);
    uint s = y, t = x;
    for (int step = 0; step < 3; ++step) {
      tile[column] = in[step * 64 + x];
      barrier(CLK_LOCAL_MEM_FENCE);
      if (x < width && y < height)
        for (int k = 0; k < depth; ++k) {
          s = s * 3 + tile[column] * in[y * 7 + k];
          t ^= s;
        }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[y * get_global_size(0) + x] = s + t;
  })";

using Numbers = std::vector<std::uint32_t>;

struct Case {
  std::size_t columns, rows, local_x, local_y;
  int width, height;
};

constexpr Case kCases[] = {{64, 32, 64, 32, 64, 32}, {64, 32, 64, 32, 37, 29}, {64, 32, 16, 16, 50, 17},
                           {48, 24, 24, 8, 41, 9},   {64, 8, 32, 8, 3, 0},     {64, 32, 32, 4, 0, 5}};
constexpr int kDepth = 9;

Numbers numbers() {
  Numbers in(4096);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint32_t>(i * 2654435761U);
  return in;
}

/// @param enters  whether a work-item gets to work
template <class Enters>
Numbers wanted(const Numbers& in, const Case& c, std::size_t depth, Enters&& enters) {
  Numbers out(c.columns * c.rows, 77);
  for (std::size_t y = 0; y < c.rows; ++y)
    for (std::size_t x = 0; x < c.columns; ++x) {
      if (!enters(static_cast<int>(x), static_cast<int>(y))) continue;
      std::uint32_t s = 1;
      for (std::size_t k = 0; k < depth; ++k) s = s * 3 + in[k * 64 + x] * in[y * 7 + k];
      out[y * c.columns + x] = s;
    }
  return out;
}

TEST(GuardedRows, RunToTheirOwnEnds) {
  Numbers in = numbers();
  for (const Case& c : kCases) {
    const auto compare = [&](const char* kernel, auto&& enters) {
      Numbers out(c.columns * c.rows, 77);
      const Range range(2, {c.columns, c.rows, 1}, {c.local_x, c.local_y, 1});
      run(kSource, kernel, range, {buffer(in), buffer(out), value(c.width), value(c.height), value(kDepth)});
      EXPECT_EQ(out, wanted(in, c, kDepth, enters)) << kernel << ' ' << c.columns << ' ' << c.width << ' ' << c.height;
    };
    compare("plain", [&](int x, int y) { return x < c.width && y < c.height; });
    compare("triangle", [&](int x, int y) { return x <= y; });
    compare("from_below", [&](int x, int y) { return x < c.width && y >= c.height; });
  }
}

/// Between barriers: work-items beyond the borders keep their values.
TEST(GuardedRows, KeepValuesAcrossBarriers) {
  Numbers in = numbers();
  for (const Case& c : kCases) {
    Numbers out(c.columns * c.rows, 77), expected;
    const Range range(2, {c.columns, c.rows, 1}, {c.local_x, c.local_y, 1});
    run(kSource, "staged", range, {buffer(in), buffer(out), value(c.width), value(c.height), value(kDepth)});
    for (std::size_t y = 0; y < c.rows; ++y)
      for (std::size_t x = 0; x < c.columns; ++x) {
        auto s = static_cast<std::uint32_t>(y), t = static_cast<std::uint32_t>(x);
        const bool inside = static_cast<int>(x) < c.width && static_cast<int>(y) < c.height;
        for (std::size_t k = 0; inside && k < std::size_t{3} * kDepth; ++k) {
          s = s * 3 + in[k / kDepth * 64 + x] * in[y * 7 + k % kDepth];
          t ^= s;
        }
        expected.push_back(s + t);
      }
    EXPECT_EQ(out, expected) << c.columns << ' ' << c.width << ' ' << c.height;
  }
}

}  // namespace
}  // namespace lanewise::test

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Regions whose neighbours in memory are work-items of y: their loops over y are the innermost ones
/// (compiler/groups/region_order.h).
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

const char* const kSource = R"(
  #define IDS const uint x = get_local_id(0), y = get_local_id(1), z = get_local_id(2); \
              const uint gx = get_global_id(0) - get_global_offset(0), gy = get_global_id(1) - get_global_offset(1), \
                         gz = get_global_id(2) - get_global_offset(2); \
              const uint w = get_global_size(0), h = get_global_size(1);
  kernel __attribute__((reqd_work_group_size(12, 16, 2)))
  void tile(global const uint* in, global uint* out) {
    local uint t[2][11][18];
    IDS
    const uint id = x * 16 + y, other = (get_local_size(0) - 1 - x) * 16 + y;
    t[z][id / 18][id % 18] = in[(gz * w + gx) * h + gy];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(gz * h + gy) * w + gx] = t[z][other / 18][other % 18] * 3 + get_local_linear_id();
  }
  kernel __attribute__((reqd_work_group_size(16, 16, 1)))
  void product(global const float* a, global const float* b, global float* c, int n) {
    local float ta[16][16], tb[16][16];
    const int row = get_local_id(0), column = get_local_id(1);
    const int r = get_global_id(0), s = get_global_id(1);
    float sum = 0;
    for (int t = 0; t < n; t += 16) {
      ta[row][column] = a[r * n + t + column];
      tb[row][column] = b[(t + row) * (int)get_global_size(1) + s];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int k = 0; k < 16; ++k) sum += ta[row][k] * tb[k][column];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[r * (int)get_global_size(1) + s] = sum;
  }
  kernel __attribute__((reqd_work_group_size(8, 16, 1)))
  void count(global const uint* in, global uint* out, int n) {
    local uint bins[8];
    IDS
    if (x + y == 0) for (uint i = 0; i < 8; ++i) bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < n; ++i)
      if (in[gx * h + gy] & 1u << i) atomic_inc(&bins[in[gx * h + gy] + i & 7]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[gy * w + gx] = bins[x] + in[gx * h + gy];
  })";

std::vector<std::uint32_t> numbers(std::size_t count) {
  std::vector<std::uint32_t> v(count);
  for (std::size_t i = 0; i < count; ++i) v[i] = static_cast<std::uint32_t>((i * 2654435761U) >> 9U);
  return v;
}

/// The number of work-items of the group of work-item `i` of `global`, whose full size is `local`.
std::size_t group_of(std::size_t i, std::size_t global, std::size_t local) {
  return std::min(local, global - i / local * local);
}

TEST(RegionOrder, OfATile) {
  for (const auto& [w, h, d] :
       std::vector<std::array<std::size_t, 3>>{{24, 32, 2}, {29, 35, 3}, {5, 3, 1}, {12, 1, 2}}) {
    auto in = numbers(w * h * d);
    std::vector<std::uint32_t> out(in.size());
    run(kSource, "tile", Range(3, {w, h, d}, {12, 16, 2}, {7, 1, 0}), {buffer(in), buffer(out)});
    for (std::size_t z = 0; z < d; ++z)
      for (std::size_t y = 0; y < h; ++y)
        for (std::size_t x = 0; x < w; ++x) {
          const std::size_t lx = group_of(x, w, 12);
          const std::size_t ly = group_of(y, h, 16);
          const std::size_t partner = x / 12 * 12 + lx - 1 - x % 12;
          const std::size_t linear = (z % 2 * ly + y % 16) * lx + x % 12;
          ASSERT_EQ(out[(z * h + y) * w + x], in[(z * w + partner) * h + y] * 3 + linear) << x << ' ' << y << ' ' << z;
        }
  }
}

TEST(RegionOrder, OfAProduct) {
  for (const int n : {0, 16, 48}) {
    const std::size_t rows = 32;
    const std::size_t columns = 48;
    const auto depth = static_cast<std::size_t>(n);
    std::vector<float> a(rows * depth + 1);
    std::vector<float> b(columns * depth + 1);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i * 7 % 11);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i * 5 % 13);
    std::vector<float> c(rows * columns, -1);
    run(kSource, "product", Range(2, {rows, columns, 1}, {16, 16, 1}), {buffer(a), buffer(b), buffer(c), value(n)});
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t s = 0; s < columns; ++s) {
        float sum = 0;
        for (std::size_t k = 0; k < depth; ++k) sum += a[r * depth + k] * b[k * columns + s];
        ASSERT_EQ(c[r * columns + s], sum) << r << ' ' << s << ' ' << n;
      }
  }
}

TEST(RegionOrder, OfCounters) {
  const std::size_t w = 20;
  const std::size_t h = 37;
  for (const int n : {0, 1, 5}) {
    auto in = numbers(w * h);
    std::vector<std::uint32_t> out(in.size());
    run(kSource, "count", Range(2, {w, h, 1}, {8, 16, 1}), {buffer(in), buffer(out), value(n)});
    for (std::size_t y = 0; y < h; ++y)
      for (std::size_t x = 0; x < w; ++x) {
        std::array<std::uint32_t, 8> bins{};
        for (std::size_t i = x / 8 * 8; i < std::min(w, x / 8 * 8 + 8); ++i)
          for (std::size_t j = y / 16 * 16; j < std::min(h, y / 16 * 16 + 16); ++j)
            for (unsigned k = 0; k < static_cast<unsigned>(n); ++k)
              if ((in[i * h + j] >> k & 1U) != 0) ++bins[(in[i * h + j] + k) & 7U];
        ASSERT_EQ(out[y * w + x], bins[x % 8] + in[x * h + y]) << x << ' ' << y << ' ' << n;
      }
  }
}

}  // namespace
}  // namespace lanewise::test

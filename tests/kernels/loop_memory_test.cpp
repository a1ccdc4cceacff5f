// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory that a loop updates in one place.
#include <numeric>
#include <vector>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

using Ints = std::vector<int>;

Ints iota(std::size_t n) {
  Ints v(n);
  std::iota(v.begin(), v.end(), 0);
  return v;
}

TEST(LoopMemory, SumsOfLocalMemory) {
  const char* source = R"(
    typedef struct { int a, b; } Pair;
    kernel void k(global Pair* sums, global const int* in, int n) {
      local int t[32];
      t[get_local_id(0)] = in[get_local_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      const size_t i = get_global_id(0);
      for (int j = 0; j < n; ++j) {
        sums[i].a += t[j] * (int)i;
        sums[i].b = sums[i].b * 3 + t[j];
      }
    })";
  Ints in = iota(32);
  for (const int n : {0, 1, 2, 31}) {
    Ints sums = iota(2 * 64);
    Ints expected = sums;
    for (int i = 0; i < 64; ++i)
      for (int j = 0; j < n; ++j) {
        expected[static_cast<std::size_t>(2 * i)] += j * i;
        int& b = expected[static_cast<std::size_t>(2 * i + 1)];
        b = static_cast<int>(static_cast<unsigned>(b) * 3U + static_cast<unsigned>(j));
      }
    run(source, "k", Range(64, 32), {buffer(sums), buffer(in), value(n)});
    EXPECT_EQ(sums, expected) << n;
  }
}

/// A place that may be written is not written if no iteration does.
TEST(LoopMemory, StoresOfSomeIterations) {
  const char* source = R"(
    kernel void k(global int* restrict sums, global const int* restrict in, int n) {
      const size_t i = get_global_id(0) / 2;  // two work-items for each place, of which one writes
      for (int j = 0; j < n; ++j)
        if (in[j] % 2 == 0 && get_global_id(0) % 2 == 0) sums[i] += in[j];
    })";
  Ints in = iota(16);
  Ints sums(32);
  run(source, "k", Range(64, 32), {buffer(sums), buffer(in), value(16)});
  EXPECT_EQ(sums, Ints(32, 56));
}

/// What the loop reads is what it has written.
TEST(LoopMemory, PlacesThatTheLoopReads) {
  const char* source = R"(
    kernel void k(global int* x, int n, int shift) {
      global int* row = x + get_global_id(0) * n;
      global const int* from = row + shift;
      for (int j = 1; j < n; ++j) row[n - 1] += from[j - 1] + from[n - 1];
    })";
  const std::size_t rows = 64;
  const std::size_t n = 8;
  Ints x = iota(rows * n);
  Ints expected = x;
  for (std::size_t r = 0; r < rows; ++r) {
    int* row = &expected[r * n];
    for (std::size_t j = 1; j < n; ++j) row[n - 1] += row[j - 1] + row[n - 1];
  }
  run(source, "k", Range(rows, 32), {buffer(x), value(static_cast<int>(n)), value(0)});
  EXPECT_EQ(x, expected);
}

}  // namespace
}  // namespace lanewise::test

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Groups that wait for groups with lower numbers come to their end, because those have begun before them.
#include <numeric>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kGroup = 32;
constexpr std::size_t kGroups = 3000;

std::vector<unsigned> some_numbers() {
  std::vector<unsigned> v(kGroup * kGroups);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<unsigned>(i * i % 7);
  return v;
}

std::vector<unsigned> sums_of(std::vector<unsigned> v) {
  std::partial_sum(v.begin(), v.end(), v.begin());
  return v;
}

/// What is in front of each group and in it: `before` from the sum of the group, by its first work-item.
std::string scan(const std::string& before) {
  return R"(kernel void k(global uint* x, volatile global uint* state) {
    local uint t[32];
    local uint start;
    const uint l = get_local_id(0), g = get_group_id(0), i = get_global_id(0);
    t[l] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
      for (uint k = 1; k < get_local_size(0); ++k) t[k] += t[k - 1];
      const uint own = t[get_local_size(0) - 1];
      uint before = 0;)" +
         before + R"(
      start = before;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    x[i] = start + t[l];
  })";
}

/// Each group waits for the sum up to the one before it.
TEST(GroupOrder, ChainedScan) {
  std::vector<unsigned> x = some_numbers(), state(kGroups);
  const std::vector<unsigned> expected = sums_of(x);
  run(scan(R"(
      if (g > 0) {
        uint found;
        while ((found = state[g - 1]) == 0) {}
        before = found - 1;
      }
      state[g] = before + own + 1;)"),
      "k", Range(x.size(), kGroup), {buffer(x), buffer(state)});
  EXPECT_EQ(x, expected);
}

/// Groups look back: at the sum of one predecessor after the other, until one has the sum of all up to it.
TEST(GroupOrder, ScanWithLookBack) {
  std::vector<unsigned> x = some_numbers(), state(kGroups);
  const std::vector<unsigned> expected = sums_of(x);
  run(scan(R"(
      atomic_xchg(state + g, own << 2 | (g == 0 ? 2 : 1));
      for (int k = (int)g - 1; k >= 0;) {
        const uint found = atomic_or(state + k, 0);
        if (found == 0) continue;
        before += found >> 2;
        if (found & 2) break;
        --k;
      }
      atomic_xchg(state + g, (before + own) << 2 | 2);)"),
      "k", Range(x.size(), kGroup), {buffer(x), buffer(state)});
  EXPECT_EQ(x, expected);
}

/// Groups add to one number in the order of their own.
TEST(GroupOrder, TurnsThatArePassedOn) {
  std::vector<unsigned> x(1), turn(1);
  run(R"(kernel void k(volatile global uint* x, volatile global uint* turn) {
    const uint g = get_group_id(0);
    if (get_local_id(0) == 0) {
      while (atomic_cmpxchg(turn, g, g) != g) {}
      *x = *x * 3 + g;
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      atomic_inc(turn);
    }
  })",
      "k", Range(kGroup * kGroups, kGroup), {buffer(x), buffer(turn)});
  unsigned expected = 0;
  for (unsigned g = 0; g < kGroups; ++g) expected = expected * 3 + g;
  EXPECT_EQ(x[0], expected);
}

}  // namespace
}  // namespace lanewise::test

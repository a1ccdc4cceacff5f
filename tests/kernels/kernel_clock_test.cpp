// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Clocks in kernels: they go on, in every work-item and across barriers, and both forms show the same one.
#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

using Times = std::vector<std::uint64_t>;

/// Whether a reading can come after another one. The counter of AArch64 may have one value for several readings.
bool may_follow(std::uint64_t reading, std::uint64_t before) {
#if defined(__x86_64__)
  return reading > before;
#else
  return reading >= before;
#endif
}

TEST(KernelClock, GoesOn) {
  if (compares_widths()) GTEST_SKIP() << "each run sees other times";
  constexpr std::size_t kItems = 100;
  for (const char* scope : {"device", "work_group", "sub_group"}) {
    // Readings of a work-item, in its order.
    Times first(kItems), second(kItems), behind(kItems), halves(kItems);
    run(R"(
      #define JOIN(a, b) a##b
      #define READ(scope) JOIN(clock_read_, scope)()
      #define READ_HALVES(scope) JOIN(clock_read_hilo_, scope)()
      kernel void k(global ulong* first, global ulong* second, global ulong* behind, global ulong* halves) {
        size_t i = get_global_id(0);
        first[i] = READ(SCOPE);
        second[i] = READ(SCOPE);
        barrier(CLK_GLOBAL_MEM_FENCE);
        behind[i] = READ(SCOPE);
        uint2 t = READ_HALVES(SCOPE);
        halves[i] = upsample(t.hi, t.lo);
      })",
        "k", Range(kItems, 25), {buffer(first), buffer(second), buffer(behind), buffer(halves)},
        std::string("-cl-std=CL3.0 -DSCOPE=") + scope);
    for (std::size_t i = 0; i < kItems; ++i) {
      EXPECT_LT(0U, first[i]) << scope << ' ' << i;
      EXPECT_TRUE(may_follow(second[i], first[i])) << scope << ' ' << i;
      EXPECT_TRUE(may_follow(behind[i], second[i])) << scope << ' ' << i;
      EXPECT_TRUE(may_follow(halves[i], behind[i])) << scope << ' ' << i;
    }
    // No work-item passes the barrier before all of its group have come there.
    for (std::size_t i = 0; i < kItems; ++i)
      for (std::size_t j = i / 25 * 25; j < (i / 25 + 1) * 25; ++j)
        EXPECT_TRUE(may_follow(behind[j], second[i])) << scope << ' ' << i;
  }
}

/// A reading in a loop is taken in each round, also where the loop ends because of it.
TEST(KernelClock, EndsALoop) {
  if (compares_widths()) GTEST_SKIP() << "each run sees other times";
  constexpr std::size_t kItems = 40;
  std::vector<unsigned> rounds(kItems);
  run(R"(
    kernel void k(global uint* rounds) {
      ulong begin = clock_read_device();
      uint n = 0;
      while (clock_read_device() - begin < 100000 + 1000 * get_global_id(0)) ++n;
      rounds[get_global_id(0)] = n;
    })",
      "k", Range(kItems, 20), {buffer(rounds)});
  for (const unsigned n : rounds) EXPECT_LT(0U, n);
}

}  // namespace
}  // namespace lanewise::test

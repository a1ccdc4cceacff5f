// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels of which only the work-items of an interval go on, also as LLVM writes intervals: one comparison of unsigned
/// numbers. Vectors run over the interval (compiler/lanes/emit/bounds.h).
#include <cstdint>
#include <functional>
#include <string>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

struct Interval {
  const char* condition;  ///< of `id`
  std::function<bool(std::int64_t)> holds;
};

std::uint32_t narrow(std::int64_t id) {
  return static_cast<std::uint32_t>(id);
}
std::uint64_t wide(std::int64_t id) {
  return static_cast<std::uint64_t>(id);
}

const Interval kIntervals[] = {
    {"id >= 1 && id <= 14", [](std::int64_t id) { return id >= 1 && id <= 14; }},
    {"id > 2 && id < 37", [](std::int64_t id) { return id > 2 && id < 37; }},
    {"id >= 40 && id <= 200", [](std::int64_t id) { return id >= 40 && id <= 200; }},
    {"id < 5 || id >= 21", [](std::int64_t id) { return id < 5 || id >= 21; }},
    {"(uint)id - 15u >= (uint)-14",
     [](std::int64_t id) { return narrow(id) - 15U >= static_cast<std::uint32_t>(-14); }},
    {"(uint)id - 15u > (uint)-14", [](std::int64_t id) { return narrow(id) - 15U > static_cast<std::uint32_t>(-14); }},
    {"(uint)id - 15u > (uint)-1", [](std::int64_t) { return false; }},
    {"(uint)id + 3u >= (uint)-14", [](std::int64_t id) { return narrow(id) + 3U >= static_cast<std::uint32_t>(-14); }},
    {"(ulong)id - 33 >= (ulong)-30", [](std::int64_t id) { return wide(id) - 33 >= static_cast<std::uint64_t>(-30); }},
    {"(ulong)id - 33 < 20ul", [](std::int64_t id) { return wide(id) - 33 < 20; }},
    {"(ulong)id - 33 < (ulong)-20", [](std::int64_t id) { return wide(id) - 33 < static_cast<std::uint64_t>(-20); }},
    {"(uint)(id - 7) >= 12u", [](std::int64_t id) { return narrow(id - 7) >= 12U; }},
};

constexpr std::size_t kGroup = 48;
constexpr std::size_t kItems = 240;

/// @param id  the number of a work-item, of its place in the launch
void check(const Interval& interval, const std::string& expression,
           const std::function<std::int64_t(std::size_t)>& id) {
  std::vector<std::uint32_t> in(kItems), out(kItems, 7), expected = out;
  for (std::size_t i = 0; i < kItems; ++i) in[i] = static_cast<std::uint32_t>(i * 2654435761U);
  const std::string source =
      "kernel void k(global const uint* in, global uint* out) { local uint all[48];"
      "  const uint at = get_global_id(0), l = get_local_id(0); all[l] = in[at];"
      "  barrier(CLK_LOCAL_MEM_FENCE); const long id = " +
      expression + "; if (!(" + interval.condition + ")) return; out[at] = all[l] * 3 + all[(l * 5 + 1) % 48]; }";
  for (std::size_t i = 0; i < kItems; ++i) {
    const std::size_t l = i % kGroup;
    if (interval.holds(id(i))) expected[i] = in[i] * 3 + in[i - l + (l * 5 + 1) % kGroup];
  }
  run(source, "k", Range(kItems, kGroup), {buffer(in), buffer(out)});
  EXPECT_EQ(out, expected) << interval.condition << " of " << expression;
}

TEST(Intervals, OfLocalIds) {
  for (const Interval& interval : kIntervals)
    check(interval, "(int)get_local_id(0)", [](std::size_t i) { return static_cast<std::int64_t>(i % kGroup); });
}

TEST(Intervals, OfGlobalIdsBelowZero) {
  for (const Interval& interval : kIntervals)
    check(interval, "(int)get_global_id(0) - 20", [](std::size_t i) { return static_cast<std::int64_t>(i) - 20; });
}

TEST(Intervals, OfIdsInBlocksThatOverlap) {
  for (const Interval& interval : kIntervals)
    check(interval, "(int)get_group_id(0) * 30 + (int)get_local_id(0) - 9", [](std::size_t i) {
      return static_cast<std::int64_t>(i / kGroup) * 30 + static_cast<std::int64_t>(i % kGroup) - 9;
    });
}

}  // namespace
}  // namespace lanewise::test

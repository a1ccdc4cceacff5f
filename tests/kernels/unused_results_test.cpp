// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Atomic operations whose results nobody uses: a vector does one for its lanes where they have one address. None is
/// lost and none comes twice, however often the address changes, and a work-item that reads what it has added finds it.
#include <algorithm>
#include <cstdint>
#include <string>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kItems = 1200;
constexpr std::size_t kGroup = 300;

const char* const kSource = R"(
  kernel void one(global const int* where, global const int* active, global const int* values, global int* cells) {
    int i = get_global_id(0);
    if (active[i]) OPERATION(cells + where[i], values[i]);
  }
  kernel void fixed(global const int* where, global const int* active, global const int* values, global int* cells) {
    int i = get_global_id(0);
    OPERATION(cells, values[i]);
  }
  // Two operations in a work-item, at one address or at two.
  kernel void two(global const int* where, global const int* active, global const int* values, global int* cells) {
    int i = get_global_id(0);
    OPERATION(cells + where[i], values[i]);
    if (active[i]) OPERATION(cells + where[kItems - 1 - i], values[i] >> 1);
  }
  // What a work-item has done it sees.
  kernel void seen(global const int* where, global const int* active, global const int* values, global int* cells) {
    int i = get_global_id(0);
    cells[i] = 5;
    OPERATION(cells + i, values[i]);
    if (active[i]) cells[i] += 1;
  }
  kernel void floats(global const int* where, global const int* active, global const float* values, global float* cells) {
    int i = get_global_id(0);
    if (!active[i]) return;
    volatile global uint* p = (volatile global uint*)(cells + where[i]);
    uint old, found = *p;
    do {
      old = found;
      found = atomic_cmpxchg(p, old, as_uint(as_float(old) + values[i]));
    } while (found != old);
  })";

std::int32_t done(const std::string& operation, std::int32_t old, std::int32_t v) {
  const auto bits = static_cast<std::uint32_t>(v);
  if (operation == "add") return static_cast<std::int32_t>(static_cast<std::uint32_t>(old) + bits);
  if (operation == "sub") return static_cast<std::int32_t>(static_cast<std::uint32_t>(old) - bits);
  if (operation == "min") return std::min(old, v);
  if (operation == "max") return std::max(old, v);
  if (operation == "and") return old & v;
  if (operation == "or") return old | v;
  return old ^ v;
}

struct Launch {
  std::vector<std::int32_t> where, active, values, cells;

  /// @param run  work-items in a row that use one cell
  explicit Launch(std::size_t run) : where(kItems), active(kItems), values(kItems), cells(kItems, 0x0FF0) {
    for (std::size_t i = 0; i < kItems; ++i) {
      where[i] = static_cast<std::int32_t>((i / run * 7) % 61);
      active[i] = i % 5 != 3 && (i < 400 || i >= 420) ? 1 : 0;
      values[i] = static_cast<std::int32_t>((i * 2654435761U) >> 7U) | 0x1F;
    }
  }
  std::int32_t& cell(std::size_t i) { return cells[static_cast<std::size_t>(where[i])]; }
};

/// The kernels one work-item after the other.
void reference(Launch& l, const std::string& kernel, const std::string& operation) {
  for (std::size_t i = 0; i < kItems; ++i) {
    const auto apply = [&](std::int32_t& cell, std::int32_t v) { cell = done(operation, cell, v); };
    const bool active = l.active[i] != 0;
    if (kernel == "one" && active) apply(l.cell(i), l.values[i]);
    if (kernel == "fixed") apply(l.cells[0], l.values[i]);
    if (kernel == "two") {
      apply(l.cell(i), l.values[i]);
      if (active) apply(l.cell(kItems - 1 - i), l.values[i] >> 1U);
    }
    if (kernel == "seen") {
      l.cells[i] = 5;
      apply(l.cells[i], l.values[i]);
      if (active) l.cells[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(l.cells[i]) + 1);
    }
  }
}

TEST(UnusedResults, NoneIsLost) {
  for (const std::string operation : {"add", "sub", "min", "max", "and", "or", "xor"}) {
    const std::string source =
        "#define kItems " + std::to_string(kItems) + "\n#define OPERATION atomic_" + operation + '\n' + kSource;
    for (const std::size_t run : {1, 3, 16, 37, 128, 1200})
      for (const std::string kernel : {"one", "fixed", "two", "seen"}) {
        SCOPED_TRACE(testing::Message() << kernel << ' ' << operation << ", runs of " << run);
        Launch l(run);
        Launch expected = l;
        reference(expected, kernel, operation);
        lanewise::test::run(source, kernel, Range(kItems, kGroup),
                            {buffer(l.where), buffer(l.active), buffer(l.values), buffer(l.cells)});
        EXPECT_EQ(l.cells, expected.cells);
      }
  }
}

TEST(UnusedResults, SumsInAnyOrder) {
  const std::string source = "#define kItems 0\n#define OPERATION atomic_add\n" + std::string(kSource);
  for (const std::size_t run : {1, 5, 64, 1200}) {
    SCOPED_TRACE(run);
    Launch l(run);
    std::vector<float> values(kItems), cells(61, 3), expected(61, 3);
    for (std::size_t i = 0; i < kItems; ++i) {
      values[i] = static_cast<float>(i % 13) - 4;  // sums are exact
      if (l.active[i] != 0) expected[static_cast<std::size_t>(l.where[i])] += values[i];
    }
    lanewise::test::run(source, "floats", Range(kItems, kGroup),
                        {buffer(l.where), buffer(l.active), buffer(values), buffer(cells)}, "-cl-fast-relaxed-math");
    EXPECT_EQ(cells, expected);
  }
}

}  // namespace
}  // namespace lanewise::test

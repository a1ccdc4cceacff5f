// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Groups that have a column of a matrix each. Where a launch has many of them, the second tier runs neighbouring groups as
/// the lanes of a vector (compiler/groups/teams.h): their local memory, and what lives across barriers, must stay
/// their own.
#include <algorithm>
#include <cstdint>
#include <string>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

/// `T` is the type of the tile, which `V` is converted to: an element, or a vector.
const char* const kSource = R"(
  kernel void sums(global const uint* x, global uint* out, uint rows ARGUMENT) {
    VARIABLE
    const size_t column = get_group_id(1) * get_num_groups(0) + get_group_id(0);
    const size_t columns = get_num_groups(0) * get_num_groups(1);
    const uint items = get_local_size(0) * get_local_size(1);
    const uint part = get_local_id(1) * get_local_size(0) + get_local_id(0);
    uint sum = 0, largest = 0;
    for (uint row = part * rows; row < (part + 1) * rows; ++row) {
      const uint v = x[row * columns + column];
      sum += v;
      largest = max(largest, v);
    }
    tile[part] = V(sum);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < items; distance *= 2) {
      const T other = tile[(part + distance) % items];
      barrier(CLK_LOCAL_MEM_FENCE);
      tile[part] += other * (T)3;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    // What the work-item knew in front of the barriers, and what others wrote.
    out[(part * 2) * columns + column] = SCALAR(tile[part]) + sum * 5 + largest;
    out[(part * 2 + 1) * columns + column] = (uint)(get_global_id(0) * 7 + get_global_id(1) * 11 + get_global_size(0));
  })";

struct Launch {
  std::array<std::size_t, 2> groups;
  std::array<std::size_t, 2> local;
  [[nodiscard]] std::size_t columns() const { return groups[0] * groups[1]; }
  [[nodiscard]] std::size_t items() const { return local[0] * local[1]; }
};

std::vector<std::uint32_t> expected(const Launch& l, const std::vector<std::uint32_t>& x, std::size_t rows) {
  const std::size_t items = l.items();
  const std::size_t columns = l.columns();
  std::vector<std::uint32_t> out(2 * items * columns);
  for (std::size_t c = 0; c < columns; ++c) {
    std::vector<std::uint32_t> sum(items), largest(items);
    for (std::size_t row = 0; row < items * rows; ++row) {
      const std::uint32_t v = x[row * columns + c];
      sum[row / rows] += v;
      largest[row / rows] = std::max(largest[row / rows], v);
    }
    std::vector<std::uint32_t> tile = sum;
    for (std::size_t distance = 1; distance < items; distance *= 2) {
      const std::vector<std::uint32_t> before = tile;
      for (std::size_t p = 0; p < items; ++p) tile[p] += before[(p + distance) % items] * 3;
    }
    for (std::size_t p = 0; p < items; ++p) {
      const std::size_t gx = (c % l.groups[0]) * l.local[0] + p % l.local[0];
      const std::size_t gy = (c / l.groups[0]) * l.local[1] + p / l.local[0];
      out[p * 2 * columns + c] = tile[p] + sum[p] * 5 + largest[p];
      out[(p * 2 + 1) * columns + c] = static_cast<std::uint32_t>(gx * 7 + gy * 11 + l.groups[0] * l.local[0]);
    }
  }
  return out;
}

void check(const Launch& l, const std::string& type, const std::string& to, const std::string& from,
           std::size_t argument_bytes = 0) {
  const std::size_t rows = 3;
  std::vector<std::uint32_t> x(l.items() * rows * l.columns());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::uint32_t>(i * 2654435761U >> 7U);
  std::vector<std::uint32_t> out(2 * l.items() * l.columns(), 7);
  const std::string source = "#define T " + type + "\n#define V " + to + "\n#define SCALAR(v) " + from +
                             "\n#define VARIABLE " +
                             (argument_bytes != 0 ? "" : "local T tile[" + std::to_string(l.items()) + "];") +
                             "\n#define ARGUMENT " + (argument_bytes != 0 ? ", local T* tile" : "") + "\n" + kSource;
  const Range range(2, {l.groups[0] * l.local[0], l.groups[1] * l.local[1], 1}, {l.local[0], l.local[1], 1});
  std::vector<Arg> arguments{buffer(x), buffer(out), value(static_cast<std::uint32_t>(rows))};
  if (argument_bytes != 0) arguments.push_back(local(argument_bytes * l.items()));
  run(source, "sums", range, arguments);
  EXPECT_EQ(out, expected(l, x, rows)) << type << ", " << l.groups[0] << " x " << l.groups[1] << " groups of "
                                       << l.local[0] << " x " << l.local[1];
}

TEST(ColumnWalks, OfFewGroupsAndMany) {
  for (const Launch& l : {Launch{{2048, 1}, {8, 1}},
                          {{1100, 2}, {3, 2}},
                          {{530, 1}, {64, 1}},
                          {{131, 3}, {4, 4}},
                          {{5, 2}, {8, 1}},
                          {{600, 1}, {1, 1}}})
    check(l, "uint", "(uint)", "v");
}

/// Not of one element: each group's local memory is in one piece.
TEST(ColumnWalks, WithVectorsInLocalMemory) {
  check({{700, 1}, {8, 1}}, "uint4", "(uint4)", "(v.x + (v.y ^ v.z))");
}

TEST(ColumnWalks, WithArgumentsInLocalMemory) {
  check({{700, 1}, {8, 1}}, "uint", "(uint)", "v", 4);
  check({{1100, 2}, {1, 16}}, "ulong", "(ulong)", "((uint)v)", 8);
  check({{700, 1}, {8, 1}}, "uint4", "(uint4)", "(v.x + (v.y ^ v.z))", 16);
}

TEST(ColumnWalks, WithOtherElementsInLocalMemory) {
  check({{700, 1}, {16, 1}}, "ulong", "(ulong)", "((uint)v)");
}

}  // namespace
}  // namespace lanewise::test

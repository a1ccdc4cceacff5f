// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Work-groups as lanes (compiler/groups/teams.h), in code of the second tier.
#include <algorithm>
#include <numeric>

#include "tests/compiler/direct_launch.h"
#include "tests/compiler/isas.h"
#include "tests/compiler/requests.h"

namespace lanewise::test {
namespace {

/// Each group sums a column; its work-items have a part of the rows each.
constexpr const char* kColumnSums = R"(
  kernel void k(global const int* x, global int* sums, int rows) {
    local int tile[64];
    const size_t column = get_group_id(0) + get_group_id(1) * get_num_groups(0);
    const size_t columns = get_num_groups(0) * get_num_groups(1);
    const int part = get_local_id(1) * get_local_size(0) + get_local_id(0);
    int sum = 0;
    for (int row = part * rows; row < (part + 1) * rows; ++row) sum += x[row * columns + column];
    tile[part] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (part == 0) {
      int total = 0;
      for (int p = 0; p < get_local_size(0) * get_local_size(1); ++p) total += tile[p];
      sums[column] = total;
    }
  })";

abi::Specialise team_request(const abi::Reply& program, std::array<std::uint64_t, 3> local, unsigned groups = 16) {
  abi::Specialise q = specialise(program, "k", local);
  q.launches.team_groups = groups;
  return q;
}

/// The groups of a team in the code of a kernel, 0: it forms none. `width`: Request::vector_width.
unsigned groups_of(const std::string& source, std::array<std::uint64_t, 3> local = {8, 1, 1}, unsigned width = 0) {
  abi::Build build = build_of(source, {"-cl-std=CL3.0"});
  build.source.extensions = device_extensions();
  build.source.macros = device_macros();
  const abi::Reply program = run_request(build);
  EXPECT_EQ(program.status, 0) << program.log;
  abi::Specialise q = team_request(program, local);
  q.code.vector_width = width;
  const abi::Reply special = run_request(q);
  EXPECT_EQ(special.status, 0) << special.log;
  if (special.kernels.size() != 1) return 0;
  const abi::NDRangeShape& shape = special.kernels[0].shape;
  if (shape.team_groups != 0) EXPECT_EQ(shape.row_items, shape.team_groups * local[0]);
  EXPECT_EQ(special.kernels[0].local_bytes, program.kernels[0].local_bytes) << "argument blocks know it";
  return shape.team_groups;
}

/// Sums of columns, `groups` of them, with groups of `local`.
void check_sums(const abi::Reply& special, std::array<std::size_t, 3> local, std::array<std::size_t, 3> groups) {
  const std::size_t columns = groups[0] * groups[1];
  const std::size_t items = local[0] * local[1];
  const int rows = 3;
  std::vector<int> x(columns * items * static_cast<std::size_t>(rows));
  std::iota(x.begin(), x.end(), -1000);
  std::vector<int> expected(columns);
  for (std::size_t i = 0; i < x.size(); ++i) expected[i % columns] += x[i];
  std::vector<int> sums(columns, -1);
  const Range range{2, {local[0] * groups[0], local[1] * groups[1], 1}, local};
  ASSERT_EQ(launch_direct(special, "k", range, {buffer(x), buffer(sums), value(rows)}, nullptr), "");
  EXPECT_EQ(sums, expected) << groups[0] << " x " << groups[1] << " groups of " << local[0] << " x " << local[1];
}

/// Ranges begin and end inside of teams, and rows of groups are no multiple of a team.
TEST(Teams, GiveTheSameSums) {
  const abi::Reply program = build_program(kColumnSums);
  ASSERT_EQ(program.status, 0) << program.log;
  for (const Isa isa : runnable_levels())
    for (const unsigned width : {0U, 8U})
      for (const std::array<std::size_t, 3> local :
           {std::array<std::size_t, 3>{16, 1, 1}, {8, 2, 1}, {1, 1, 1}, {3, 5, 1}}) {
        abi::Specialise q = team_request(program, {local[0], local[1], 1});
        q.code.isa = isa;
        q.code.vector_width = width;
        const abi::Reply special = run_request(q);
        ASSERT_EQ(special.status, 0) << special.log;
        EXPECT_EQ(special.kernels[0].shape.team_groups, 16U);
        for (const std::array<std::size_t, 3> groups : {std::array<std::size_t, 3>{1, 1, 1},
                                                        {7, 1, 1},
                                                        {16, 1, 1},
                                                        {37, 1, 1},
                                                        {64, 1, 1},
                                                        {21, 5, 1},
                                                        {3, 4, 1}})
          check_sums(special, local, groups);
      }
}

/// Each group copies a row into its local memory, and writes it as a column, the other way round.
TEST(Teams, CopyTheirOwnRows) {
  const abi::Reply program = build_program(R"(
    kernel void k(global const int* x, global int* y) {
      local int row[8];
      const event_t e = async_work_group_copy(row, x + 8 * get_group_id(0), 8, 0);
      wait_group_events(1, &e);
      y[get_local_id(0) * get_num_groups(0) + get_group_id(0)] = row[7 - get_local_id(0)];
    })");
  ASSERT_EQ(program.status, 0) << program.log;
  abi::Specialise q = team_request(program, {8, 1, 1});
  q.code.vector_width = 8;
  const abi::Reply special = run_request(q);
  ASSERT_EQ(special.status, 0) << special.log;
  EXPECT_EQ(special.kernels[0].shape.team_groups, 16U);
  constexpr std::size_t kGroups = 41;
  std::vector<int> x(8 * kGroups), y(8 * kGroups), expected(8 * kGroups);
  std::iota(x.begin(), x.end(), 3);
  for (std::size_t i = 0; i < x.size(); ++i) expected[i] = x[i % kGroups * 8 + 7 - i / kGroups];
  ASSERT_EQ(launch_direct(special, "k", Range(8 * kGroups, 8), {buffer(x), buffer(y)}, nullptr), "");
  EXPECT_EQ(y, expected);
}

/// Two arguments, whose elements differ, beside local memory of the kernel's own.
TEST(Teams, ShareTheMemoryOfArguments) {
  const abi::Reply program = build_program(R"(
    kernel void k(global const int* x, local uchar* low, global int* y, local int* all) {
      local int last;
      const size_t g = get_group_id(0), groups = get_num_groups(0), l = get_local_id(0);
      const int v = x[l * groups + g];
      low[l] = v;
      all[7 - l] = v;
      if (l == 7) last = v;
      barrier(CLK_LOCAL_MEM_FENCE);
      y[l * groups + g] = low[(l + 1) % 8] + all[l] * 1000 + last;
    })");
  ASSERT_EQ(program.status, 0) << program.log;
  const abi::Reply special = run_request(team_request(program, {8, 1, 1}));
  ASSERT_EQ(special.status, 0) << special.log;
  EXPECT_EQ(special.kernels[0].shape.team_groups, 16U);
  for (const std::size_t groups : {1U, 16U, 41U}) {
    std::vector<int> x(8 * groups), y(8 * groups), expected(8 * groups);
    std::iota(x.begin(), x.end(), 3);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t l = i / groups;
      const std::size_t g = i % groups;
      expected[i] = x[(l + 1) % 8 * groups + g] % 256 + x[(7 - l) * groups + g] * 1000 + x[7 * groups + g];
    }
    ASSERT_EQ(launch_direct(special, "k", Range(8 * groups, 8), {buffer(x), local(8), buffer(y), local(32)}, nullptr),
              "");
    EXPECT_EQ(y, expected) << groups;
  }
}

TEST(Teams, AreSmallerWhereTheirLocalMemoryWouldBeLarge) {
  const auto source = [](const std::string& bytes) {
    return "kernel void k(global float* x) { local float t[" + bytes +
           " / 4]; size_t g = get_group_id(0), l = get_local_id(0); t[l * 31 & 7] = x[l * 4096 + g];"
           " barrier(CLK_LOCAL_MEM_FENCE); x[l * 4096 + g] = t[l] + t[7 - l]; }";
  };
  EXPECT_EQ(groups_of(source("2048")), 16U);
  EXPECT_EQ(groups_of(source("2052")), 8U);
  EXPECT_EQ(groups_of(source("4096")), 8U);
  EXPECT_EQ(groups_of(source("4100")), 0U);
}

TEST(Teams, AreSmallerWhereGroupsAreLarge) {
  const std::string source =
      "kernel void k(global float* x) { local float t[8]; size_t g = get_group_id(0), l = get_local_id(0);"
      " float v = x[l * 4096 + g]; if (l < 8) t[l] = v; barrier(CLK_LOCAL_MEM_FENCE); x[l * 4096 + g] = v + t[l & 7]; "
      "}";
  EXPECT_EQ(groups_of(source, {512, 1, 1}), 16U);
  EXPECT_EQ(groups_of(source, {513, 1, 1}), 8U);
  EXPECT_EQ(groups_of(source, {32, 32, 1}), 8U);
  EXPECT_EQ(groups_of(source, {1025, 1, 1}), 0U);
}

/// What groups of a kernel might see of each other, or where they might wait for each other, keeps them apart.
TEST(Teams, AreNotFormedWhereGroupsCouldTell) {
  const auto kernel = [](const std::string& body, const std::string& parameters = "") {
    return "kernel void k(global int* x, int n" + parameters +
           ") { local int t[64]; size_t g = get_group_id(0), l = get_local_id(0); int v = x[l * 4096 + g]; t[l] = v; " +
           body + " barrier(CLK_LOCAL_MEM_FENCE); x[l * 4096 + g] = t[l ^ 1]; }";
  };
  EXPECT_EQ(groups_of(kernel("")), 16U);
  EXPECT_EQ(groups_of(kernel("if (n) barrier(CLK_LOCAL_MEM_FENCE);")), 16U) << "all groups alike";
  EXPECT_EQ(groups_of(kernel("if (l < 3) t[l + 8] = v;")), 16U);
  for (const char* body : {
           "atomic_inc(x + n);",
           "atomic_inc(t + 3);",
           "mem_fence(CLK_GLOBAL_MEM_FENCE);",
           "while (((volatile global int*)x)[n] == 0);",
           "t[l] = work_group_reduce_add(v);",
           "t[l] = sub_group_reduce_add(v);",
           "t[l] += get_sub_group_local_id();",
           "printf(\"%d\", v);",
           "if (g & 1) barrier(CLK_LOCAL_MEM_FENCE);",
           "if (g == 3) return;",
           "for (int i = 0; i < g; ++i) { t[l] += i; barrier(CLK_LOCAL_MEM_FENCE); }",
           "if (x[g]) { barrier(CLK_LOCAL_MEM_FENCE); t[l] = 1; }",
       })
    EXPECT_EQ(groups_of(kernel(body)), 0U) << body;
  EXPECT_EQ(groups_of(kernel("d[l] = v;", ", local int* d, local uchar* e")), 16U);
  EXPECT_EQ(groups_of(kernel("d[l] = v; ((local uchar*)d)[l] = v;", ", local int* d")), 0U) << "of one element only";
  EXPECT_EQ(groups_of(kernel("d[l] = v;", ", local int4* d")), 0U);
  EXPECT_EQ(groups_of(kernel(""), {4, 2, 2}), 0U) << "three dimensions";
}

/// Sums along columns: the work-items of a group are a column, and each group has one.
TEST(Teams, AreFormedOfColumns) {
  const std::string columns =
      "kernel void k(global float* x, int width, local float* t) { int c = get_global_id(0), l = get_local_id(1);"
      " t[l] = x[(int)get_global_id(1) * width + c]; barrier(CLK_LOCAL_MEM_FENCE);"
      " x[(int)get_global_id(1) * width + c] = t[l] + t[l ^ 1]; }";
  EXPECT_EQ(groups_of(columns, {1, 16, 1}), 16U);
  EXPECT_EQ(groups_of(columns, {16, 1, 1}), 0U) << "the work-items are neighbours";
}

TEST(Teams, AreFormedOnlyWhereTheyPay) {
  const std::string rows =
      "kernel void k(global float* x, int n) { local float t[8]; size_t g = get_group_id(0), l = get_local_id(0);"
      " float s = 0; for (int i = 0; i < n; ++i) s += x[(g * n + i) * 8 + l]; t[l] = s; barrier(CLK_LOCAL_MEM_FENCE);"
      " x[g * 8 + l] = t[7 - l]; }";
  EXPECT_EQ(groups_of(rows), 0U);
  EXPECT_EQ(groups_of(rows, {8, 1, 1}, 8), 16U) << "unless somebody asks for it";
  // Work-items are next to each other as well.
  EXPECT_EQ(groups_of("kernel void k(global float* x) { local float t[8]; size_t g = get_group_id(0), l = "
                      "get_local_id(0); t[l] = x[l + g]; barrier(CLK_LOCAL_MEM_FENCE); x[l + g * 8] = t[7 - l]; }"),
            0U);
  // Groups that nobody can tell apart become rows.
  EXPECT_EQ(groups_of("kernel void k(global float* x) { x[get_global_id(0) * 4096] = 1; }"), 0U);
}

}  // namespace
}  // namespace lanewise::test

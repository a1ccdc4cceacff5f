// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels whose columns in memory are y or z, which the compiler makes the first dimension (dimension_order.h).
#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

using Longs = std::vector<std::int64_t>;

/// `rows`, `columns` and `planes` are the dimensions that mean it; planes may be no dimension (3).
void check(const Range& range, unsigned rows, unsigned columns, unsigned planes = 3) {
  const auto size = [&](unsigned d) { return d < 3 ? range.global[d] : 1; };
  const auto offset = [&](unsigned d) { return d < 3 ? range.offset[d] : 0; };
  const std::size_t items = size(rows) * size(columns) * size(planes);
  Longs in(items), out(items, -1), facts(items * 4, -1), expected, expected_facts;
  for (std::size_t n = 0; n < items; ++n) in[n] = static_cast<std::int64_t>(n * n % 1009);
  for (std::size_t n = 0; n < items; ++n) {
    std::array<std::size_t, 4> at{};
    at[columns] = n % size(columns);
    at[rows] = n / size(columns) % size(rows);
    at[planes] = n / size(columns) / size(rows);
    expected.push_back(in[n] * 3 + static_cast<std::int64_t>(at[columns] + offset(columns)));
    const auto& [gx, gy, gz] = range.global;
    for (const std::size_t v : {at[rows] + offset(rows), size(rows) * 1000 + size(columns),
                                (at[2] * gy + at[1]) * gx + at[0], std::size_t{range.dims}})
      expected_facts.push_back(static_cast<std::int64_t>(v));
  }
  const auto d = [](unsigned n) { return std::to_string(n); };
  run("kernel void k(global const long* in, global long* out, global long* facts, int height, int width) {"
      "  const int row = get_global_id(" +
          d(rows) + ") - get_global_offset(" + d(rows) +
          ");"
          "  const int column = get_global_id(" +
          d(columns) + ") - get_global_offset(" + d(columns) +
          ");"
          "  const int plane = get_global_id(" +
          d(planes) + ") - get_global_offset(" + d(planes) +
          ");"
          "  const int n = (plane * height + row) * width + column;"
          "  out[n] = in[n] * 3 + get_global_id(" +
          d(columns) +
          ");"
          "  facts[n * 4] = get_global_id(" +
          d(rows) +
          ");"
          "  facts[n * 4 + 1] = get_global_size(" +
          d(rows) + ") * 1000 + get_global_size(" + d(columns) +
          ");"
          "  facts[n * 4 + 2] = get_global_linear_id();"
          "  facts[n * 4 + 3] = get_work_dim();"
          "}",
      "k", range,
      {buffer(in), buffer(out), buffer(facts), value(static_cast<std::int32_t>(size(rows))),
       value(static_cast<std::int32_t>(size(columns)))});
  EXPECT_EQ(out, expected);
  EXPECT_EQ(facts, expected_facts);
}

TEST(DimensionOrder, RowsInX) {
  check(Range(2, {12, 40, 1}, {4, 8, 1}), 0, 1);
  check(Range(2, {64, 48, 1}, {64, 1, 1}), 0, 1);
  check(Range(2, {6, 64, 1}, {1, 64, 1}), 0, 1);
}

TEST(DimensionOrder, PartialGroupsAndOffsets) {
  check(Range(2, {13, 37, 1}, {4, 8, 1}, {3, 5, 0}), 0, 1);
  check(Range(2, {37, 5, 1}, {16, 1, 1}, {0x7FFFFFF0, 9, 0}), 0, 1);
}

TEST(DimensionOrder, ThreeDimensions) {
  check(Range(3, {3, 6, 24}, {1, 2, 8}), 1, 2, 0);
  check(Range(3, {5, 7, 19}, {2, 3, 4}, {1, 2, 3}), 1, 2, 0);
  check(Range(3, {7, 21, 4}, {7, 4, 2}, {4, 0, 1}), 0, 1, 2);
}

/// The kernel's first dimension is not one of the launch.
TEST(DimensionOrder, FewerDimensionsThanTheKernelKnows) {
  check(Range(1, {50, 1, 1}, {10, 1, 1}, {7, 0, 0}), 0, 1);
  check(Range(1, {50, 1, 1}, {16, 1, 1}), 1, 2, 0);
}

TEST(DimensionOrder, MatrixProduct) {
  constexpr std::size_t kRows = 24, kColumns = 40, kInner = 9;
  std::vector<float> a(kRows * kInner), b(kInner * kColumns), c(kRows * kColumns), expected(kRows * kColumns);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 11);
  for (std::size_t y = 0; y < kRows; ++y)
    for (std::size_t x = 0; x < kColumns; ++x)
      for (std::size_t k = 0; k < kInner; ++k) expected[y * kColumns + x] += a[y * kInner + k] * b[k * kColumns + x];
  for (const auto& local : {std::array<std::size_t, 3>{8, 8, 1}, {1, 1, 1}, {24, 1, 1}, {5, 7, 1}}) {
    std::fill(c.begin(), c.end(), -1.0F);
    run(R"(kernel void product(global const float* a, global const float* b, global float* c, uint inner, uint columns) {
             const uint row = get_global_id(0), column = get_global_id(1);
             float sum = 0;
             for (uint k = 0; k < inner; ++k) sum += a[row * inner + k] * b[k * columns + column];
             c[row * columns + column] = sum;
           })",
        "product", Range(2, {kRows, kColumns, 1}, local),
        {buffer(a), buffer(b), buffer(c), value(std::uint32_t{kInner}), value(std::uint32_t{kColumns})});
    EXPECT_EQ(c, expected);
  }
}

}  // namespace
}  // namespace lanewise::test

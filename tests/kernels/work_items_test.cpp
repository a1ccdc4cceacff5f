// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Work-item functions: every query, in every dimension, with offsets and partial groups.
#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

using Longs = std::vector<std::int64_t>;

const char* kQueries = R"(
  kernel void k(global long* out, uint stride) {
    const size_t n = get_global_linear_id();
    global long* o = out + n * stride;
    for (uint d = 0; d < 4; ++d) {
      *o++ = get_global_id(d); *o++ = get_local_id(d); *o++ = get_group_id(d);
      *o++ = get_local_size(d); *o++ = get_enqueued_local_size(d); *o++ = get_global_size(d);
      *o++ = get_num_groups(d); *o++ = get_global_offset(d);
    }
    *o++ = get_global_id(0) - get_global_offset(0); *o++ = get_local_size(1); *o++ = get_group_id(2);
    *o++ = get_global_id(7); *o++ = get_num_groups(3);
    *o++ = get_work_dim(); *o++ = n; *o++ = get_local_linear_id();
  })";

void check(const Range& range) {
  constexpr unsigned kStride = 40;
  const std::size_t items = range.global[0] * range.global[1] * range.global[2];
  Longs out(items * kStride, -1), expected;
  const auto& [gx, gy, gz] = range.global;
  for (std::size_t n = 0; n < items; ++n) {
    const std::size_t at[3] = {n % gx, n / gx % gy, n / gx / gy};
    Longs size(3), local(3), group(3);
    for (unsigned d = 0; d < 3; ++d) {
      group[d] = static_cast<std::int64_t>(at[d] / range.local[d]);
      local[d] = static_cast<std::int64_t>(at[d] % range.local[d]);
      size[d] = static_cast<std::int64_t>(
          std::min(range.local[d], range.global[d] - at[d] / range.local[d] * range.local[d]));
    }
    Longs row;
    for (unsigned d = 0; d < 3; ++d) {
      const auto groups = (range.global[d] + range.local[d] - 1) / range.local[d];
      for (std::int64_t v : {static_cast<std::int64_t>(at[d] + range.offset[d]), local[d], group[d], size[d],
                             static_cast<std::int64_t>(range.local[d]), static_cast<std::int64_t>(range.global[d]),
                             static_cast<std::int64_t>(groups), static_cast<std::int64_t>(range.offset[d])})
        row.push_back(v);
    }
    for (std::int64_t v : {0, 0, 0, 1, 1, 1, 1, 0}) row.push_back(v);
    for (std::int64_t v : {static_cast<std::int64_t>(at[0]), size[1], group[2], std::int64_t{0}, std::int64_t{1},
                           static_cast<std::int64_t>(range.dims), static_cast<std::int64_t>(n),
                           (local[2] * size[1] + local[1]) * size[0] + local[0]})
      row.push_back(v);
    expected.insert(expected.end(), row.begin(), row.end());
  }
  run(kQueries, "k", range, {buffer(out), value(kStride)});
  EXPECT_EQ(out, expected);
}

TEST(WorkItems, OneDimension) {
  check(Range(64, 16));
}
TEST(WorkItems, OneDimensionPartialWithOffset) {
  check(Range(37, 8, 1000));
}
TEST(WorkItems, OneItem) {
  check(Range(1, 1));
}
TEST(WorkItems, OffsetBeyond32Bits) {
  check(Range(16, 4, (std::size_t{5} << 32U) + 3));
}
/// Ids as numbers: up to 2^31 they are converted from their lower half.
TEST(WorkItems, IdsAsFloats) {
  const char* source = R"(
    kernel void k(global float* near, global double* far) {
      const size_t g = get_global_id(0) - get_global_offset(0);
      near[g] = get_global_id(0);
      far[g] = (long)get_global_id(0);
    })";
  for (const std::uint64_t offset : {0x7fUL, 0x7fefffefUL, 0x7ffffff8UL, 0x80000015UL, 0xfffffff1UL, 0x1fffffff7UL}) {
    std::vector<float> close(37), expected;
    std::vector<double> far(37), exact;
    for (std::uint64_t i = 0; i < 37; ++i) {
      expected.push_back(static_cast<float>(offset + i));
      exact.push_back(static_cast<double>(offset + i));
    }
    run(source, "k", Range(37, 37, offset), {buffer(close), buffer(far)});
    EXPECT_EQ(close, expected) << offset;
    EXPECT_EQ(far, exact) << offset;
  }
}
TEST(WorkItems, TwoDimensions) {
  check(Range(2, {12, 10, 1}, {4, 5, 1}, {3, 7, 0}));
}
TEST(WorkItems, TwoDimensionsPartial) {
  check(Range(2, {13, 7, 1}, {4, 3, 1}));
}
TEST(WorkItems, ThreeDimensionsPartialWithOffset) {
  check(Range(3, {7, 5, 6}, {3, 2, 4}, {1, 20, 300}));
}

TEST(WorkItems, PartialGroupsWithBarriersInThreeDimensions) {
  const char* source = R"(
    kernel void k(global int* out) {
      local int count, last;
      if (get_local_linear_id() == 0) count = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      atomic_add(&count, 1);
      const size_t items = get_local_size(0) * get_local_size(1) * get_local_size(2);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (get_local_linear_id() == items - 1) last = count * 1000;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_linear_id()] = last + get_local_linear_id();
    })";
  const Range range(3, {7, 5, 3}, {4, 2, 2}, {2, 0, 1});
  std::vector<int> out(105), expected(105);
  for (std::size_t n = 0; n < 105; ++n) {
    const std::size_t at[3] = {n % 7, n / 7 % 5, n / 35};
    std::size_t size[3], local[3];
    for (unsigned d = 0; d < 3; ++d) {
      local[d] = at[d] % range.local[d];
      size[d] = std::min(range.local[d], range.global[d] - (at[d] - local[d]));
    }
    expected[n] =
        static_cast<int>(size[0] * size[1] * size[2] * 1000 + (local[2] * size[1] + local[1]) * size[0] + local[0]);
  }
  run(source, "k", range, {buffer(out)});
  EXPECT_EQ(out, expected);
}

TEST(WorkItems, RequiredSize) {
  const char* source = R"(
    __attribute__((reqd_work_group_size(4, 2, 1)))
    kernel void k(global int* out) {
      local int t[2][4];
      t[get_local_id(1)][get_local_id(0)] = get_global_id(1) * 8 + get_global_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(1) * 8 + get_global_id(0)] = t[1 - get_local_id(1)][3 - get_local_id(0)];
    })";
  std::vector<int> out(32), expected(32);
  for (std::size_t i = 0; i < 32; ++i) {
    const std::size_t x = i % 8, y = i / 8;
    expected[i] = static_cast<int>((y ^ 1U) * 8 + (x ^ 3U));
  }
  run(source, "k", Range(2, {8, 4, 1}, {4, 2, 1}), {buffer(out)});
  EXPECT_EQ(out, expected);
}

/// Groups one work-item wide, whose row is in y or z; the last one is partial.
TEST(WorkItems, RequiredSizeOfColumns) {
  const std::string body = R"(
    kernel void k(global uint* out, local uint* t) {
      const uint l = get_local_linear_id(), n = get_local_size(1) * get_local_size(2);
      t[l] = get_global_linear_id() * 3 + get_local_id(0) + get_group_id(0) * 1000;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (get_global_id(0) == 2) return;
      uint sum = 0;
      for (uint i = 0; i <= l; ++i) sum += t[i];
      out[get_global_linear_id()] = sum + t[n - 1 - l];
    })";
  const auto check = [&](const Range& range) {
    std::string size;
    for (unsigned d = 0; d < 3; ++d) size += (d == 0 ? "" : ",") + std::to_string(range.local[d]);
    const std::size_t row = range.local[1] > 1 ? 1 : 2, length = range.global[row], stride = row == 1 ? 3 : 6;
    std::vector<std::uint32_t> out(range.global[0] * range.global[1] * range.global[2], 7), expected = out;
    for (std::size_t n = 0; n < expected.size(); ++n) {
      const std::size_t x = n % 3, at = n / stride % length, first = at / range.local[row] * range.local[row];
      const std::size_t last = std::min(first + range.local[row], length) - 1;
      const auto kept = [&](std::size_t i) {
        return static_cast<std::uint32_t>((n + (i - at) * stride) * 3 + x * 1000);
      };
      if (x == 2 - range.offset[0]) continue;
      expected[n] = kept(last - (at - first));
      for (std::size_t i = first; i <= at; ++i) expected[n] += kept(i);
    }
    run("__attribute__((reqd_work_group_size(" + size + ")))" + body, "k", range,
        {buffer(out), local(range.local[row] * sizeof(std::uint32_t))});
    EXPECT_EQ(out, expected) << size;
  };
  check(Range(2, {3, 67, 1}, {1, 32, 1}));
  check(Range(3, {3, 64, 2}, {1, 32, 1}, {1, 5, 0}));
  check(Range(3, {3, 2, 45}, {1, 1, 19}));
}

}  // namespace
/// Addresses of local variables as numbers: constant expressions, which become instructions of the kernel.
TEST(WorkItems, LocalVariablesInConstantExpressions) {
  const char* source = R"(
    kernel void where(global ulong* out) {
      local char a[3];
      local double b[5];
      local short c;
      local int4 d[2];
      out[0] = (ulong)((local char*)b) % 8;
      out[1] = (ulong)&b[1] - (ulong)&b[0];
      out[2] = (ulong)&c % 2;
      out[3] = (ulong)&d[1] % 16;
      out[4] = (ulong)&a[2] - (ulong)&a[0];
    })";
  std::vector<std::uint64_t> out(5, 99);
  run(source, "where", Range(1, 1), {buffer(out)});
  EXPECT_EQ(out, (std::vector<std::uint64_t>{0, 8, 0, 0, 2}));
}

}  // namespace lanewise::test

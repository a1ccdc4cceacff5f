// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Strides that a program passes as numbers: those of 1 have a form of their own in hot code
/// (lanes/prepare/unit_strides.h), and all others, among them 0 and negative ones, are as they were.
#include <cstdint>
#include <string>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kItems = 150;
constexpr std::size_t kLocal = 50;

const char* const kSource = R"(
  kernel void scale(global const int* x, int x_inc, int x_first, global int* y, long y_inc, long y_first, int n) {
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
      y[i * y_inc + y_first] = x[i * x_inc + x_first] * 3 + i;
  }
  kernel void dot(global const int* x, int x_inc, int x_first, global int* out, long y_inc, long y_first, int n) {
    local int sums[50];
    int s = 0;
    for (int i = get_group_id(0) * 50 + get_local_id(0); i < n; i += 50 * get_num_groups(0))
      s = s * 5 + x[i * x_inc + x_first] * x[i * y_inc + y_first];
    sums[get_local_id(0)] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    int all = 0;
    for (int k = 0; k < 50; k++) all = all * 7 + sums[(k + get_local_id(0)) % 50];
    out[get_global_id(0)] = all;
  }
  kernel void steps(global const int* x, int x_inc, int x_first, global int* out, long y_inc, long y_first, int n) {
    long i = y_first + (get_group_id(0) * 4 * 50 + (uint)get_local_id(0)) * y_inc;
    int s = x_inc + x_first;
    for (uint k = 0; k < 4; k++) {
      if (i >= n) break;
      s = s * 5 + x[i];
      i += 50 * y_inc;
    }
    out[get_global_id(0)] = s;
  })";

struct Vectors {
  int x_inc;
  int x_first;
  std::int64_t y_inc;
  std::int64_t y_first;
};

constexpr int kMost = 400;

/// Each is inside of 2000 elements.
constexpr Vectors kVectors[] = {{1, 0, 1, 0},   {1, 7, 1, 3},      {2, 1, 1, 0},         {1, 0, 3, 5},
                                {4, 3, 2, 900}, {-1, 1000, 1, 10}, {-2, 1500, -3, 1900}, {0, 11, 1, 2}};

class UnitStrides : public testing::Test {
 protected:
  UnitStrides() {
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = static_cast<int>((i * 37 + 11) % 101);
  }

  std::vector<int> result(const char* kernel, std::size_t size, const Vectors& v, int n) {
    std::vector<int> out(size, -1);
    run(kSource, kernel, Range(kItems, kLocal),
        {buffer(x_), value(v.x_inc), value(v.x_first), buffer(out), value(v.y_inc), value(v.y_first), value(n)});
    return out;
  }

  [[nodiscard]] int x(std::int64_t i) const { return x_[static_cast<std::size_t>(i)]; }

  std::vector<int> x_ = std::vector<int>(2000);
};

TEST_F(UnitStrides, OfStores) {
  for (const Vectors& v : kVectors)
    for (const int n : {1, 50, 149, kMost}) {
      std::vector<int> want(2000, -1);
      for (int i = 0; i < n; ++i)
        want[static_cast<std::size_t>(i * v.y_inc + v.y_first)] = x(std::int64_t{i} * v.x_inc + v.x_first) * 3 + i;
      EXPECT_EQ(result("scale", 2000, v, n), want) << v.x_inc << ' ' << v.y_inc << ' ' << n;
    }
}

TEST_F(UnitStrides, OfSums) {
  for (const Vectors& v : kVectors)
    for (const int n : {1, 49, 150, 151, kMost}) {
      std::vector<unsigned> sums(kItems);
      for (std::size_t item = 0; item < kItems; ++item)
        for (auto i = static_cast<std::int64_t>(item); i < n; i += kItems)
          sums[item] = sums[item] * 5 + static_cast<unsigned>(x(i * v.x_inc + v.x_first) * x(i * v.y_inc + v.y_first));
      std::vector<int> want;
      for (std::size_t item = 0; item < kItems; ++item) {
        unsigned all = 0;
        for (std::size_t k = 0; k < kLocal; ++k)
          all = all * 7 + sums[item / kLocal * kLocal + (k + item % kLocal) % kLocal];
        want.push_back(static_cast<int>(all));
      }
      EXPECT_EQ(result("dot", kItems, v, n), want) << v.x_inc << ' ' << v.y_inc << ' ' << n;
    }
}

TEST_F(UnitStrides, OfCounters) {
  for (const std::int64_t by : {1, 2, 3})
    for (const int n : {0, 1, 49, 50, 333, 599, 600, 2000}) {
      const Vectors v{5, 2, by, 9};
      std::vector<int> want;
      for (std::size_t item = 0; item < kItems; ++item) {
        auto i = static_cast<std::int64_t>(9 + (item / kLocal * 200 + item % kLocal) * static_cast<std::size_t>(by));
        unsigned s = 7;
        for (int k = 0; k < 4 && i < n; ++k, i += 50 * by) s = s * 5 + static_cast<unsigned>(x(i));
        want.push_back(static_cast<int>(s));
      }
      EXPECT_EQ(result("steps", kItems, v, n), want) << by << ' ' << n;
    }
}

}  // namespace
}  // namespace lanewise::test

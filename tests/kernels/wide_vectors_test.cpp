// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels on the source's own vectors of sixteen, whose work-items may run side by side (compiler/vectors/
/// register_blocking.h): sums in loops, private arrays and atomics, for sizes that do and do not fill blocks.
#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kLanes = 16;

/// All values are small whole numbers, so sums of float are exact in any order.
const char* const kSource = R"(
  kernel void chains(global const T16* a, global T16* out, int n) {
    T16 x = a[get_global_id(0)], y = (T16)(T)get_local_id(0);
    for (int i = 0; i < n; ++i) {
      x = y - x * (T)2; y = x - y; x = y - x; y = x - y * (T)2;
      x = min(max(x, (T16)0), (T16)64); y = min(max(y, (T16)1), (T16)32);
    }
    out[get_global_id(0)] = x + y;
  }
  kernel void kept(global const T16* a, global T16* out, int n) {
    T16 t[4], x = a[get_global_id(0)], y = x + (T)1;
    for (int i = 0; i < 4; ++i) t[i] = x + (T)(i * 3);
    for (int i = 0; i < n; ++i) {
      x = min(y + t[(i + n) & 3], (T16)100); t[i & 3] = x; y = min(x - y + (T)7, (T16)100); y = max(y, (T16)0);
    }
    out[get_global_id(0)] = t[0] + t[1] * (T)3 + t[2] * (T)5 + t[3] * (T)7 + y;
  }
  kernel void counted(global const T16* a, global T16* out, int n, global int* count) {
    T16 x = a[get_global_id(0)], y = x + (T)1;
    for (int i = 0; i < n; ++i) {
      x = min(x + y, (T16)100); y = max(x - y, (T16)2); x = max(x - y, (T16)1); y = min(x + y, (T16)50);
      atomic_inc(count);
    }
    out[get_global_id(0)] = x + y;
  }
  kernel void over_barriers(global const T16* a, global T16* out, int n) {
    local T16 shared[16];
    const int l = get_local_id(0), last = get_local_size(0) - 1;
    T16 x = a[get_global_id(0)], y = x;
    for (int k = 0; k < 2; ++k) {
      shared[l] = x;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = 0; i < n; ++i) {
        x = min(x + y, (T16)100); y = max(x - y, (T16)2); x = max(x - y, (T16)1); y = min(x + y, (T16)50);
      }
      x += shared[last - l];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = x + y;
  })";

template <class T>
T least(T a, T b) {
  return b < a ? b : a;
}
template <class T>
T most(T a, T b) {
  return a < b ? b : a;
}

template <class T>
class WideVectors : public testing::Test {
 protected:
  /// Components do not meet, so each is a number of its own.
  void fill(std::size_t items) {
    in.resize(items * kLanes);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>((i * 7 + 3) % 29);
    out.assign(in.size(), T{});
  }

  std::string source = std::string("#define T ") + (std::is_same_v<T, float> ? "float" : "int") + "\n#define T16 " +
                       (std::is_same_v<T, float> ? "float16" : "int16") + "\n" + kSource;
  std::vector<T> in, out;
};

using Types = testing::Types<float, std::int32_t>;
TYPED_TEST_SUITE(WideVectors, Types);

constexpr int kRounds = 9;
std::vector<Range> ranges() {
  return {Range(1, 1), Range(16, 16), Range(15, 5), Range(35, 16), Range(21, 7)};
}

template <class T>
void mix(T& x, T& y) {
  x = least<T>(x + y, 100);
  y = most<T>(x - y, 2);
  x = most<T>(x - y, 1);
  y = least<T>(x + y, 50);
}

TYPED_TEST(WideVectors, Chains) {
  using T = TypeParam;
  for (const Range& range : ranges()) {
    this->fill(range.global[0]);
    std::vector<T> want(this->in.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
      T x = this->in[i], y = static_cast<T>(i / kLanes % range.local[0]);
      for (int k = 0; k < kRounds; ++k) {
        x = y - x * 2, y = x - y, x = y - x, y = x - y * 2;
        x = least<T>(most<T>(x, 0), 64), y = least<T>(most<T>(y, 1), 32);
      }
      want[i] = x + y;
    }
    run(this->source, "chains", range, {buffer(this->in), buffer(this->out), value(kRounds)});
    EXPECT_EQ(this->out, want) << range.global[0];
  }
}

TYPED_TEST(WideVectors, PrivateArrays) {
  using T = TypeParam;
  for (const Range& range : ranges()) {
    this->fill(range.global[0]);
    std::vector<T> want(this->in.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
      T x = this->in[i], y = x + 1, t[4] = {x, x + 3, x + 6, x + 9};
      for (int k = 0; k < kRounds; ++k) {
        x = least<T>(y + t[(k + kRounds) & 3], 100), t[k & 3] = x;
        y = most<T>(least<T>(x - y + 7, 100), 0);
      }
      want[i] = t[0] + t[1] * 3 + t[2] * 5 + t[3] * 7 + y;
    }
    run(this->source, "kept", range, {buffer(this->in), buffer(this->out), value(kRounds)});
    EXPECT_EQ(this->out, want) << range.global[0];
  }
}

TYPED_TEST(WideVectors, Atomics) {
  using T = TypeParam;
  for (const Range& range : ranges()) {
    this->fill(range.global[0]);
    std::vector<T> want(this->in.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
      T x = this->in[i], y = x + 1;
      for (int k = 0; k < kRounds; ++k) mix(x, y);
      want[i] = x + y;
    }
    std::vector<int> count(1);
    run(this->source, "counted", range, {buffer(this->in), buffer(this->out), value(kRounds), buffer(count)});
    EXPECT_EQ(this->out, want) << range.global[0];
    if (!compares_widths()) EXPECT_EQ(count[0], kRounds * static_cast<int>(range.global[0]));
  }
}

TYPED_TEST(WideVectors, OverBarriers) {
  using T = TypeParam;
  for (const Range& range : ranges()) {
    this->fill(range.global[0]);
    std::vector<T> x = this->in, y = this->in, want(x.size());
    for (int round = 0; round < 2; ++round) {
      const std::vector<T> shared = x;
      for (std::size_t i = 0; i < x.size(); ++i) {
        for (int k = 0; k < kRounds; ++k) mix(x[i], y[i]);
        const std::size_t item = i / kLanes, group = item / range.local[0] * range.local[0];
        const std::size_t size = std::min(range.local[0], range.global[0] - group);
        x[i] += shared[(group + size - 1 - (item - group)) * kLanes + i % kLanes];
      }
    }
    for (std::size_t i = 0; i < x.size(); ++i) want[i] = x[i] + y[i];
    run(this->source, "over_barriers", range, {buffer(this->in), buffer(this->out), value(kRounds)});
    EXPECT_EQ(this->out, want) << range.global[0];
  }
}

}  // namespace
}  // namespace lanewise::test

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels that compute in half: arguments, vectors, local memory, divergence, all of them at the widths of the
/// harness.
#include <random>
#include <utility>

#include "tests/compiler/builtins_half.h"
#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

using Halves = std::vector<std::uint16_t>;

constexpr std::size_t kItems = 203;
constexpr const char* kEnable = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";

/// Small integers are exact in half: x as its encoding.
std::uint16_t half_of(int x) {
  const auto magnitude = static_cast<unsigned>(x < 0 ? -x : x);
  if (magnitude == 0) return 0;
  const int exponent = 31 - __builtin_clz(magnitude);
  const unsigned fraction = exponent <= 10 ? magnitude << (10 - exponent) : magnitude >> (exponent - 10);
  return static_cast<std::uint16_t>((x < 0 ? 0x8000U : 0U) | (static_cast<unsigned>(exponent + 14) << 10) + fraction);
}

Halves integers(std::size_t n, int low, int step, int modulus) {
  Halves out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = half_of(low + static_cast<int>(i) * step % modulus);
  return out;
}

TEST(Half, ScalarAndVectorArguments) {
  struct alignas(8) Half4 {
    std::uint16_t s[4];
  };
  auto x = integers(4 * kItems, -50, 7, 101);
  Halves r(x.size());
  run(std::string(kEnable) + R"(kernel void k(global const half4* x, global half4* r, half scale, half4 offset, int n) {
        const size_t i = get_global_id(0);
        if (i < n) r[i] = x[i] * scale + offset;
      })",
      "k", Range(kItems, 16),
      {buffer(x), buffer(r), value(half_of(3)), value(Half4{{half_of(1), half_of(-2), half_of(100), half_of(0)}}),
       value(static_cast<int>(kItems))});
  constexpr int kOffset[] = {1, -2, 100, 0};
  for (std::size_t i = 0; i < x.size(); ++i)
    ASSERT_EQ(r[i], half_of((-50 + static_cast<int>(i) * 7 % 101) * 3 + kOffset[i % 4])) << i;
}

// Anything, and products of about 1 with addends that are ties of the sum, opposite to the product, or nearly zero.
TEST(Half, FmaRoundsOnce) {
  std::mt19937 random(6);
  Halves x, y, z, r(4 * 5000);
  for (std::size_t i = 0; i < r.size(); ++i) {
    const auto a = static_cast<std::uint32_t>(random()), b = static_cast<std::uint32_t>(random());
    const auto number = [](std::uint32_t bits) {  // not NaN, whose bits may differ
      return static_cast<std::uint16_t>((bits & 0x7c00) == 0x7c00 ? bits & 0xfc00 : bits);
    };
    x.push_back(number(a)), y.push_back(number(a >> 16)), z.push_back(number(b));
    if (i % 4 == 0) continue;
    x.back() = static_cast<std::uint16_t>((x.back() & 0x83ff) | 0x3c00);
    y.back() = static_cast<std::uint16_t>((y.back() & 0x83f0) | 0x3800);
    if (i % 4 == 2) z.back() = test::half_of(-(wide_of(x.back()) * wide_of(y.back())));
    if (i % 4 == 3) z.back() = static_cast<std::uint16_t>(b & 0x8007);
  }
  Halves want;
  for (std::size_t i = 0; i < r.size(); ++i)
    want.push_back(test::half_of(wide_of(x[i]) * wide_of(y[i]) + wide_of(z[i])));
  for (const auto& [type, items] : {std::pair{"half", r.size()}, std::pair{"half4", r.size() / 4}}) {
    std::string source = kEnable;
    source += std::string("#define T ") + type + "\n";
    source +=
        "kernel void k(global const T* x, global const T* y, global const T* z, global T* r) {"
        " const size_t i = get_global_id(0); r[i] = fma(x[i], y[i], z[i]); }";
    r.assign(r.size(), 0);
    run(source, "k", Range(items, 50), {buffer(x), buffer(y), buffer(z), buffer(r)});
    for (std::size_t i = 0; i < r.size(); ++i)
      ASSERT_TRUE(r[i] == want[i] || (is_nan(r[i]) && is_nan(want[i])))
          << type << " fma(" << wide_of(x[i]) << ", " << wide_of(y[i]) << ", " << wide_of(z[i])
          << ") = " << wide_of(r[i]) << " instead of " << wide_of(want[i]);
  }
}

// 2048 + 1 is a tie that goes to even, and so is every further sum: each operation rounds.
TEST(Half, EveryOperationRounds) {
  Halves r(kItems);
  run(std::string(kEnable) + R"(kernel void k(global half* r) {
        half sum = 2048.0h;
        for (size_t i = 0; i <= get_global_id(0); ++i) sum += 1.0h;
        r[get_global_id(0)] = sum;
      })",
      "k", Range(kItems, 32), {buffer(r)});
  EXPECT_EQ(r, Halves(kItems, half_of(2048)));
}

TEST(Half, DivergentLoopsAndPrivateArrays) {
  Halves r(kItems);
  run(std::string(kEnable) + R"(kernel void k(global half* r) {
        const int i = get_global_id(0);
        half square[8];
        for (int k = 0; k < 8; ++k) square[k] = (half)(k * k);
        half sum = 0;
        for (int k = 0; k < i % 9; ++k) sum += square[(k + i) & 7];
        r[i] = i % 3 == 0 ? -sum : fmax(sum, 4.0h);
      })",
      "k", Range(kItems, 32), {buffer(r)});
  for (int i = 0; std::cmp_less(i, kItems); ++i) {
    int sum = 0;
    for (int k = 0; k < i % 9; ++k) sum += ((k + i) & 7) * ((k + i) & 7);
    const int want = i % 3 == 0 ? -sum : std::max(sum, 4);
    const std::uint16_t bits = i % 3 == 0 && sum == 0 ? 0x8000 : half_of(want);
    ASSERT_EQ(r[static_cast<std::size_t>(i)], bits) << i;
  }
}

TEST(Half, LocalMemoryAndAsyncCopies) {
  constexpr std::size_t kLocal = 32;
  constexpr std::size_t kAll = 6 * kLocal;
  auto x = integers(2 * kAll, -100, 3, 211);
  Halves r(2 * kAll);
  run(std::string(kEnable) + R"(kernel void k(global const half2* x, global half2* r, local half2* here) {
        const size_t n = get_local_size(0), l = get_local_id(0), first = get_group_id(0) * n;
        event_t e = async_work_group_copy(here, x + first, n, 0);
        wait_group_events(1, &e);
        r[first + l] = here[n - 1 - l].yx;
      })",
      "k", Range(kAll, kLocal), {buffer(x), buffer(r), local(kLocal * 4)});
  for (std::size_t i = 0; i < kAll; ++i) {
    const std::size_t from = i / kLocal * kLocal + kLocal - 1 - i % kLocal;
    ASSERT_EQ(r[2 * i], x[2 * from + 1]);
    ASSERT_EQ(r[2 * i + 1], x[2 * from]);
  }
}

TEST(Half, ChoicesShufflesAndClasses) {
  Halves x = {0x0000, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x0001, 0x83ff, 0x0400, 0x7bff, 0x4200};
  while (x.size() < kItems) x.push_back(x[x.size() - 12]);
  std::vector<int> r(2 * x.size());
  run(std::string(kEnable) + R"(kernel void k(global const half* x, global int* r) {
        const size_t i = get_global_id(0);
        const half v = x[i];
        const half4 all = shuffle((half4)(v, 1.0h, 2.0h, 3.0h), (ushort4)(3, 0, 1, 2));
        r[2 * i] = isnan(v) | isinf(v) << 1 | isfinite(v) << 2 | isnormal(v) << 3 | signbit(v) << 4 |
                   isequal(v, v) << 5 | isless(v, 1.0h) << 6 | isunordered(v, 0.0h) << 7;
        const half chosen = select(all.x, all.y, (short)(i & 1));
        r[2 * i + 1] = as_ushort(chosen) | as_ushort(bitselect(all.z, all.w, as_half((ushort)0xff00))) << 16;
      })",
      "k", Range(x.size(), 32), {buffer(x), buffer(r)});
  for (std::size_t i = 0; i < x.size(); ++i) {
    const unsigned m = x[i] & 0x7fff;
    const bool nan = m > 0x7c00, negative = x[i] >> 15;
    const bool less = !nan && (negative || m < 0x3c00);
    const int want = nan | (m == 0x7c00) << 1 | (m < 0x7c00) << 2 | (m >= 0x400 && m < 0x7c00) << 3 | negative << 4 |
                     !nan << 5 | less << 6 | nan << 7;
    ASSERT_EQ(r[2 * i], want) << std::hex << x[i];
    const unsigned chosen = i & 1 ? x[i] : half_of(3);
    ASSERT_EQ(static_cast<unsigned>(r[2 * i + 1]), chosen | ((half_of(1) & 0xffU) | (half_of(2) & 0xff00U)) << 16);
  }
}

TEST(Half, BitsOfAConditionOfAllWorkItems) {
  const std::string source = std::string(kEnable) + R"(kernel void k(global const half* x, global half* r, float f) {
        const size_t i = get_global_id(0);
        r[2 * i] = fmin(as_half((ushort)(f != 1.0f)), x[i]) + 0.0h;
        r[2 * i + 1] = as_half((short)((f != 1.0f) ? -1 : 0));
      })";
  Halves x(kItems);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 2 == 0 ? half_of(2) : half_of(-2);
  for (const float f : {1.0F, 2.0F}) {
    Halves r(2 * x.size());
    run(source, "k", Range(x.size(), 32), {buffer(x), buffer(r), value(f)});
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(r[2 * i], i % 2 == 0 ? (f != 1.0F ? 1 : 0) : x[i]);
      ASSERT_EQ(r[2 * i + 1], f != 1.0F ? 0xffff : 0);
    }
  }
}

}  // namespace
}  // namespace lanewise::test

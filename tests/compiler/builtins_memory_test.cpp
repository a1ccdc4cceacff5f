// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// half storage for all 65536 values and all neighbourhoods of them, vload/vstore at unaligned places, shuffles,
/// atomics.
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <thread>

#include "tests/compiler/builtins_program.h"

namespace lanewise::test {
namespace {

/// The definition of binary16: sign, five bits of exponent, ten of fraction.
double half_value(unsigned h) {
  const int exponent = static_cast<int>(h >> 10 & 31);
  const double fraction = h & 1023;
  const double magnitude = exponent == 31  ? (fraction != 0 ? std::nan("") : HUGE_VAL)
                           : exponent == 0 ? std::ldexp(fraction, -24)
                                           : std::ldexp(fraction + 1024, exponent - 25);
  return h & 0x8000 ? -magnitude : magnitude;
}

enum class Round { nearest, zero, up, down };

/// The half of |x| or the one below, by search in the ordered encodings; then the choice by mode.
unsigned to_half(double x, Round mode) {
  if (std::isnan(x)) return 0x7e00;
  const bool negative = std::signbit(x);
  const unsigned sign = negative ? 0x8000 : 0;
  const double magnitude = std::abs(x);
  if (std::isinf(x)) return sign | 0x7c00;
  unsigned low = 0, high = 0x7c00;  // value(low) <= magnitude < value(high)
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    (half_value(middle) <= magnitude ? low : high) = middle;
  }
  const double below = half_value(low), above = low == 0x7bff ? 65536.0 : half_value(low + 1);
  bool raise = false;
  if (magnitude != below) switch (mode) {
      case Round::nearest: {
        const double middle = (below + above) / 2;
        raise = magnitude > middle || (magnitude == middle && (low & 1));
        break;
      }
      case Round::zero:
        break;
      case Round::up:
        raise = !negative;
        break;
      case Round::down:
        raise = negative;
        break;
    }
  return sign | (low + raise);
}

class BuiltinMemory : public AtLevel {};

TEST_P(BuiltinMemory, EveryHalfIsLoaded) {
  BuiltinProgram program(R"(
    void one(global const half* h, global float* r) { for (int i = 0; i < 65536; ++i) r[i] = vload_half(i, h); }
    void three(global const half* h, global float* r) {
      for (int i = 0; i < 21845; ++i) vstore3(vload_half3(i, h), i, r);
    }
    void aligned3(global const half* h, global float* r) {
      for (int i = 0; i < 16384; ++i) vstore4((float4)(vloada_half3(i, h), vload_half(4 * i + 3, h)), i, r);
    }
    void sixteen(global const half* h, global float* r) {
      for (int i = 0; i < 4096; ++i) vstore16(vloada_half16(i, h), i, r);
    })",
                         GetParam());
  alignas(128) static std::uint16_t h[65536];
  alignas(128) static float r[65536];
  std::iota(std::begin(h), std::end(h), std::uint16_t{0});
  for (const char* name : {"one", "three", "aligned3", "sixteen"}) {
    std::memset(r, 0xff, sizeof r);
    r[65535] = std::nanf("");
    program.get<void(const std::uint16_t*, float*)>(name)(h, r);
    for (unsigned i = 0; i < 65536; ++i) {
      const auto want = static_cast<float>(half_value(i));
      ASSERT_TRUE(std::isnan(want) ? std::isnan(r[i]) : std::memcmp(&want, &r[i], 4) == 0) << name << " " << i;
    }
  }
}

template <class T>
void check_store(const char* type, unsigned level) {
  const std::string t = type;
  std::string source;
  for (const char* mode : {"", "_rte", "_rtz", "_rtp", "_rtn"}) {
    const std::string m = mode;
    source += "void one" + m + "(global const " + t + "* x, global half* h, int n) { for (int i = 0; i < n; ++i) " +
              "vstore_half" + m + "(x[i], i, h); }\n" + "void four" + m + "(global const " + t +
              "* x, global half* h, int n) { for (int i = 0; i < n / 4; ++i) " + "vstorea_half4" + m +
              "(vload4(i, x), i, h); }\n";
  }
  BuiltinProgram program(source, level);
  std::vector<T> x;
  for (unsigned h = 0; h < 65536; ++h) {
    const auto value = static_cast<T>(half_value(h));
    const auto next = static_cast<T>((h & 0x7fff) == 0x7bff ? std::copysign(65536.0, value) : half_value(h + 1));
    const T middle = std::isinf(next) || std::isinf(value) ? value : (value + next) / 2;
    for (const T v : {value, std::nextafter(value, T(0)), std::nextafter(value, next), middle,
                      std::nextafter(middle, value), std::nextafter(middle, next)})
      x.push_back(v);
  }
  using Limits = std::numeric_limits<T>;
  for (const T v : {Limits::max(), -Limits::max(), Limits::denorm_min(), -Limits::denorm_min()}) x.push_back(v);
  while (x.size() % 4) x.push_back(0);
  std::vector<std::uint64_t> room(x.size());
  auto* h = reinterpret_cast<std::uint16_t*>(room.data());
  const std::pair<const char*, Round> modes[] = {{"", Round::nearest},
                                                 {"_rte", Round::nearest},
                                                 {"_rtz", Round::zero},
                                                 {"_rtp", Round::up},
                                                 {"_rtn", Round::down}};
  for (const auto& [mode, round] : modes)
    for (const char* form : {"one", "four"}) {
      program.get<void(const T*, std::uint16_t*, int)>((std::string(form) + mode).c_str())(x.data(), h,
                                                                                           static_cast<int>(x.size()));
      for (std::size_t i = 0; i < x.size(); ++i) {
        const unsigned want = to_half(x[i], round);
        const bool same = std::isnan(x[i]) ? (h[i] & 0x7c00) == 0x7c00 && (h[i] & 0x3ff) : h[i] == want;
        ASSERT_TRUE(same) << type << " " << form << mode << "(" << x[i] << ") = " << h[i] << " instead of " << want;
      }
    }
}

TEST_P(BuiltinMemory, EveryHalfIsStoredInEveryMode) {
  check_store<float>("float", GetParam());
  check_store<double>("double", GetParam());
}

TEST_P(BuiltinMemory, VectorsNeedElementAlignmentOnly) {
  std::string source;
  for (const char* n : {"2", "3", "4", "8", "16"})
    source += std::string("void move") + n + "(global const int* x, global int* y) { vstore" + n + "(vload" + n +
              "(1, x + 1), 2, y + 1); }\n";
  BuiltinProgram program(source, GetParam());
  for (const int n : {2, 3, 4, 8, 16}) {
    std::vector<int> x(64), y(64, -1);
    std::iota(x.begin(), x.end(), 0);
    program.get<void(const int*, int*)>(("move" + std::to_string(n)).c_str())(x.data(), y.data());
    for (int i = 0; i < 64; ++i) {
      const int from = i - (1 + 2 * n);
      EXPECT_EQ(y[static_cast<std::size_t>(i)], from >= 0 && from < n ? 1 + n + from : -1) << n << " " << i;
    }
  }
}

TEST_P(BuiltinMemory, ShufflesUseTheLowBitsOfTheMask) {
  BuiltinProgram program(R"(
    void run(global const float* x, global const uint* mask, global float* r) {
      vstore8(shuffle(vload4(0, x), vload8(0, mask)), 0, r);
      vstore8(shuffle2(vload8(0, x), vload8(1, x), vload8(0, mask)), 1, r);
      vstore2(shuffle2(vload16(0, x), vload16(1, x), vload2(0, mask)), 8, r);
    })",
                         GetParam());
  std::vector<float> x(32), r(18);
  std::iota(x.begin(), x.end(), 0.0F);
  const unsigned mask[8] = {31, 14, 7, 3, 16, 0xfffffff1, 9, 2};
  program.get<void(const float*, const unsigned*, float*)>("run")(x.data(), mask, r.data());
  for (unsigned i = 0; i < 8; ++i) {
    EXPECT_EQ(r[i], static_cast<float>(mask[i] & 3));
    EXPECT_EQ(r[8 + i], static_cast<float>(mask[i] & 15));
  }
  EXPECT_EQ(r[16], 31);
  EXPECT_EQ(r[17], 14);
}

TEST_P(BuiltinMemory, AtomicsAreAtomicAndGiveTheOldValue) {
  BuiltinProgram program(R"(
    void hammer(global int* i, global ulong* l, global float* f, global double* d, int n) {
      for (int k = 0; k < n; ++k) {
        atomic_inc(i);
        atom_add(l, 3UL);
        float old = atomic_load((global atomic_float*)f);
        while (!atomic_compare_exchange_weak((global atomic_float*)f, &old, old + 1.0f)) {}
        atomic_fetch_add_explicit((global atomic_double*)d, 1.0, memory_order_relaxed, memory_scope_device);
      }
    }
    void each(global int* p, global uint* q, global int* r) {
      r[0] = atomic_add(p, 5); r[1] = atomic_sub(p, 2); r[2] = atomic_xchg(p, 12); r[3] = atomic_dec(p);
      r[4] = atomic_min(p, -7); r[5] = atomic_max(p, 3); r[6] = atomic_and(p, 2); r[7] = atomic_or(p, 8);
      r[8] = atomic_xor(p, 15); r[9] = atomic_cmpxchg(p, 5, 77); r[10] = atomic_cmpxchg(p, 5, 78); r[11] = *p;
      r[12] = (int)atomic_max(q, 0x80000000u); r[13] = (int)atomic_min(q, 7u); r[14] = (int)*q;
      int expected = 3;
      r[15] = atomic_compare_exchange_strong((global atomic_int*)p, &expected, 9); r[16] = expected;
      r[17] = atomic_compare_exchange_strong((global atomic_int*)p, &expected, 9); r[18] = *p;
      r[19] = atomic_flag_test_and_set((global atomic_flag*)q); atomic_flag_clear((global atomic_flag*)q);
      r[20] = atomic_flag_test_and_set((global atomic_flag*)q);
      atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
      atomic_store((global atomic_int*)p, 4); r[21] = atomic_exchange((global atomic_int*)p, 6);
      r[22] = atomic_fetch_sub((global atomic_int*)p, 1); r[23] = *p;
    })",
                         GetParam());
  int i = 0;
  std::uint64_t l = 0;
  float f = 0;
  double d = 0;
  auto* hammer = program.get<void(int*, std::uint64_t*, float*, double*, int)>("hammer");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back([&] { hammer(&i, &l, &f, &d, 20000); });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(i, 80000);
  EXPECT_EQ(l, 240000U);
  EXPECT_EQ(f, 80000);
  EXPECT_EQ(d, 80000);
  int p = 10;
  unsigned q = 1;
  int r[24];
  program.get<void(int*, unsigned*, int*)>("each")(&p, &q, r);
  const int want[24] = {10, 15, 13, 12, 11, -7, 3, 2, 10, 5, 77, 77, 1, std::numeric_limits<int>::min(),
                        7,  0,  77, 1,  9,  1,  0, 4, 6,  5};
  for (int k = 0; k < 24; ++k) EXPECT_EQ(r[k], want[k]) << k;
}

INSTANTIATE_TEST_SUITE_P(Levels, BuiltinMemory, ::testing::Values(2U, 3U));

}  // namespace
}  // namespace lanewise::test

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_khr_byte_addressable_store, __opencl_c_int64 and cl_khr_fp64: stores narrower than 32 bits, 64-bit integers and
/// doubles as scalars, vectors, arguments and in local memory.
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

/// Every second element is written, at every alignment; its neighbours keep their values.
template <class T>
void check_narrow_stores(const std::string& type) {
  constexpr std::size_t n = 100;
  for (std::size_t offset = 0; offset < 4; ++offset) {
    std::vector<T> out(2 * n + 4, T{77}), expected = out;
    for (std::size_t i = 0; i < n; ++i) expected[2 * i + offset] = static_cast<T>(3 * i + 1);
    run("kernel void k(global " + type + "* out, uint offset) { const uint i = get_global_id(0);" +
            " out[2 * i + offset] = (" + type + ")(3 * i + 1); }",
        "k", Range(n, 20), {buffer(out), value(static_cast<std::uint32_t>(offset))});
    ASSERT_EQ(out, expected) << type << " at " << offset;
  }
}

TEST(ByteStores, NeighboursKeepTheirValues) {
  check_narrow_stores<std::int8_t>("char");
  check_narrow_stores<std::uint8_t>("uchar");
  check_narrow_stores<std::int16_t>("short");
  check_narrow_stores<std::uint16_t>("ushort");
}

/// Groups reverse their bytes through local memory.
TEST(ByteStores, InLocalMemory) {
  std::vector<std::uint8_t> in(256), out(256), expected(256);
  std::iota(in.begin(), in.end(), std::uint8_t{0});
  for (std::size_t i = 0; i < 256; ++i) expected[i] = in[i / 32 * 32 + 31 - i % 32];
  run("kernel void k(global const uchar* in, global uchar* out) { local uchar turn[32]; const uint l = get_local_id(0);"
      "  turn[31 - l] = in[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = turn[l]; }",
      "k", Range(256, 32), {buffer(in), buffer(out)});
  EXPECT_EQ(out, expected);
}

template <class T>
void check_integers64(const std::string& type) {
  using Unsigned = std::uint64_t;
  std::mt19937_64 random(3);
  constexpr std::size_t n = 128;
  std::vector<T> a(n), b(n), out(8 * n);
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = static_cast<T>(random());
    b[i] = static_cast<T>(random() >> (i % 64));
    if (b[i] == 0 || b[i] == static_cast<T>(-1)) b[i] = 3;
  }
  a[0] = std::numeric_limits<T>::min(), a[1] = std::numeric_limits<T>::max();
  const T shift = 7;
  run("kernel void k(global const " + type + "* a, global const " + type + "* b, global " + type + "* out, " + type +
          " s) { const size_t i = get_global_id(0); const " + type + " x = a[i], y = b[i]; vstore8((" + type +
          "8)(x + y, x - y, x * y, x / y, x % y, x >> s, mul_hi(x, y), x < y ? x : y), i, out); }",
      "k", Range(n, 32), {buffer(a), buffer(b), buffer(out), value(shift)});
  for (std::size_t i = 0; i < n; ++i) {
    const auto x = Unsigned(a[i]), y = Unsigned(b[i]);
    __extension__ using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    const T expected[] = {static_cast<T>(x + y),
                          static_cast<T>(x - y),
                          static_cast<T>(x * y),
                          static_cast<T>(a[i] / b[i]),
                          static_cast<T>(a[i] % b[i]),
                          static_cast<T>(a[i] >> 7),
                          static_cast<T>(Wide{a[i]} * Wide{b[i]} >> 64),
                          std::min(a[i], b[i])};
    for (std::size_t k = 0; k < 8; ++k) ASSERT_EQ(out[8 * i + k], expected[k]) << type << " " << i << ", " << k;
  }
}

TEST(Integers64, Arithmetic) {
  check_integers64<std::int64_t>("long");
  check_integers64<std::uint64_t>("ulong");
}

TEST(Doubles, Arithmetic) {
  std::mt19937_64 random(4);
  constexpr std::size_t n = 128;
  std::vector<double> a(n), b(n), out(8 * n);
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = std::ldexp(static_cast<double>(random() >> 11) - 0x1p52, static_cast<int>(i) - 90);
    b[i] = std::ldexp(static_cast<double>(random() >> 11) + 1, -30);
  }
  run("kernel void k(global const double* a, global const double* b, global double* out, double s) {"
      "  const size_t i = get_global_id(0); const double x = a[i], y = b[i];"
      "  vstore8((double8)(x + y, x - y, x * y, x / y, fma(x, y, s), sqrt(fabs(x)), (double)(float)x, floor(x)), i, "
      "out);"
      "}",
      "k", Range(n, 32), {buffer(a), buffer(b), buffer(out), value(1.0 / 3)}, "-cl-std=CL3.0 -cl-opt-disable");
  for (std::size_t i = 0; i < n; ++i) {
    const double x = a[i], y = b[i];
    const double expected[] = {x + y,
                               x - y,
                               x * y,
                               x / y,
                               std::fma(x, y, 1.0 / 3),
                               std::sqrt(std::fabs(x)),
                               static_cast<double>(static_cast<float>(x)),
                               std::floor(x)};
    for (std::size_t k = 0; k < 8; ++k) ASSERT_EQ(out[8 * i + k], expected[k]) << i << ", " << k;
  }
}

TEST(Doubles, ConvertToAndFromIntegers) {
  std::vector<double> a{0.0, -0.5, 2.5, 3.5, -2.5, 1e10, -1e10, 1e19, -1e19, std::nan(""), HUGE_VAL, -HUGE_VAL};
  std::vector<std::int32_t> out(2 * a.size());
  run("kernel void k(global const double* a, global int* out) { const size_t i = get_global_id(0);"
      "  out[2 * i] = convert_int_sat_rte(a[i]); out[2 * i + 1] = convert_int_sat_rtp(a[i]); }",
      "k", Range(a.size(), 4), {buffer(a), buffer(out)});
  constexpr auto kMin = std::numeric_limits<std::int32_t>::min(), kMax = std::numeric_limits<std::int32_t>::max();
  const std::vector<std::int32_t> expected{0,    0,    0,    0,    2,    3,    4, 4, -2,   -2,   kMax, kMax,
                                           kMin, kMin, kMax, kMax, kMin, kMin, 0, 0, kMax, kMax, kMin, kMin};
  EXPECT_EQ(out, expected);
}

}  // namespace
}  // namespace lanewise::test

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Math functions with a second result, and those on the encoding: against the C library, bit for bit.
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "tests/compiler/builtins_program.h"

namespace lanewise::test {
namespace {

constexpr const char* kSource = R"(
  void split(global const T* x, global const T* y, global T* r, global int* k, int n) {
    for (int i = 0; i < n; ++i) {
      global T* o = r + 10 * i;
      int e[3]; T whole; T16 cosines; int3 exponents;
      o[0] = modf(x[i], o + 1);
      o[2] = fract(x[i], &whole); o[3] = whole;
      o[4] = frexp(x[i], e);
      o[5] = nextafter(x[i], y[i]);
      o[6] = remquo(x[i], y[i], e + 1);
      o[7] = sincos((T16)(x[i]), &cosines).sf; o[8] = cosines.sf;
      o[9] = frexp((T3)(x[i], y[i], 1), &exponents).y;
      k[5 * i] = e[0]; k[5 * i + 1] = e[1]; k[5 * i + 2] = ilogb(x[i]); k[5 * i + 3] = exponents.y;
      lgamma_r(x[i], k + 5 * i + 4);
    }
  }
  void signs(global T* r, uint code) {
    r[0] = nan((U)code); r[1] = maxmag((T)-3, (T)2); r[2] = minmag((T)-3, (T)2); r[3] = maxmag((T)-2, (T)2);
    r[4] = fmax(nan((U)1), (T)1); r[5] = fmin((T)1, nan((U)1)); r[6] = mad((T)2, (T)3, (T)4);
  }
)";

std::string with_type(const std::string& text, const std::string& type) {
  const std::string prologue = "typedef " + type + " T; typedef " + type + "3 T3; typedef " + type +
                               "16 T16; typedef " + (type == "float" ? "uint" : "ulong") + " U;\n";
  return prologue + text;
}

template <class T>
bool same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof a) == 0;
}

template <class T>
std::vector<T> arguments(unsigned seed) {
  using Limits = std::numeric_limits<T>;
  std::mt19937_64 random(seed);
  const T special[] = {0,
                       -T(0),
                       1,
                       -1,
                       T(0.5),
                       T(-0.5),
                       T(1.5),
                       T(-2.5),
                       7,
                       -7,
                       Limits::infinity(),
                       -Limits::infinity(),
                       Limits::quiet_NaN(),
                       Limits::max(),
                       -Limits::max(),
                       Limits::min(),
                       Limits::denorm_min(),
                       -Limits::denorm_min(),
                       -Limits::min() / 2,
                       T(1e-30),
                       T(-1e-30)};
  std::vector<T> out;
  for (std::size_t i = 0; i < std::size(special) * std::size(special); ++i)
    out.push_back(special[seed ? i % std::size(special) : i / std::size(special)]);
  for (int i = 0; i < 20000; ++i) {
    T value;
    const auto bits = random();
    std::memcpy(&value, &bits, sizeof value);
    if (i % 2) value = static_cast<T>(static_cast<double>(bits % 20001) / 100 - 100);
    out.push_back(value);
  }
  return out;
}

template <class T>
T fraction(T x) {
  if (std::isnan(x)) return x;
  if (std::isinf(x) || x == 0) return std::copysign(T(0), x);
  return std::fmin(x - std::floor(x), std::nextafter(T(1), T(0)));
}

template <class T>
void check(const char* type, unsigned level) {
  BuiltinProgram program(with_type(kSource, type), level);
  const auto x = arguments<T>(0), y = arguments<T>(1);
  std::vector<T> r(10 * x.size());
  std::vector<int> k(5 * x.size());
  auto* run = program.get<void(const T*, const T*, T*, int*, int)>("split");
  ASSERT_TRUE(run);
  run(x.data(), y.data(), r.data(), k.data(), static_cast<int>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const T* o = r.data() + 10 * i;
    const int* e = k.data() + 5 * i;
    const auto where = ::testing::Message() << type << " level " << level << " x " << x[i] << " y " << y[i];
    T whole;
    const T part = std::modf(x[i], &whole);
    ASSERT_TRUE(same(o[0], part) && same(o[1], whole)) << where << " modf " << o[0] << " " << o[1];
    ASSERT_TRUE(same(o[2], fraction(x[i])) && same(o[3], std::floor(x[i])))
        << where << " fract " << o[2] << " " << o[3];
    int exponent = 0;
    ASSERT_TRUE(same(o[4], std::frexp(x[i], &exponent))) << where << " frexp " << o[4];
    if (std::isfinite(x[i])) ASSERT_EQ(e[0], exponent) << where;
    ASSERT_TRUE(same(o[9], std::frexp(y[i], &exponent))) << where << " frexp " << o[9];
    if (std::isfinite(y[i])) ASSERT_EQ(e[3], exponent) << where;
    ASSERT_TRUE(same(o[5], std::nextafter(x[i], y[i]))) << where << " nextafter " << o[5];
    int quotient = 0;
    const T rest = std::remquo(x[i], y[i], &quotient);
    ASSERT_TRUE(same(o[6], rest)) << where << " remquo " << o[6] << " instead of " << rest;
    if (std::isfinite(x[i]) && y[i] == y[i] && y[i] != 0) ASSERT_EQ(e[1] & 7, quotient & 7) << where << " remquo";
    if (!std::isnan(x[i])) ASSERT_EQ(e[2], std::ilogb(x[i])) << where;
    if (std::isfinite(x[i])) {
      ASSERT_NEAR(o[7], std::sin(x[i]), 4 * std::numeric_limits<T>::epsilon()) << where;
      ASSERT_NEAR(o[8], std::cos(x[i]), 4 * std::numeric_limits<T>::epsilon()) << where;
    }
    if (x[i] > 0) ASSERT_EQ(e[4], 1) << where << " lgamma_r";
  }
  T s[7];
  program.get<void(T*, unsigned)>("signs")(s, 5);
  EXPECT_TRUE(std::isnan(s[0]));
  const T want[7] = {0, -3, 2, 2, 1, 1, 10};
  for (int i = 1; i < 7; ++i) EXPECT_EQ(s[i], want[i]) << type << " " << i;
}

class BuiltinParts : public AtLevel {};

TEST_P(BuiltinParts, Float) {
  check<float>("float", GetParam());
}
TEST_P(BuiltinParts, Double) {
  check<double>("double", GetParam());
}

INSTANTIATE_TEST_SUITE_P(Levels, BuiltinParts, ::testing::Values(2U, 3U));

}  // namespace
}  // namespace lanewise::test

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Half arithmetic and the math functions of half: all 65536 arguments of functions of one argument, at every ISA level
/// that this machine runs. Bounds: OpenCL SPIR-V environment specification, "Relative Error as ULPs", half.
#include <algorithm>
#include <functional>
#include <random>
#include <string>

#include "tests/compiler/builtins_half.h"
#include "tests/compiler/builtins_program.h"

namespace lanewise::test {
namespace {

using Reference = std::function<double(double, double)>;
using Function = void(const HalfBits*, const HalfBits*, const HalfBits*, HalfBits*, int);
const std::string kEnable = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
constexpr double kPi = 3.14159265358979323846;

std::string loop(const std::string& name, const std::string& expression) {
  return "void " + name +
         "(global const half* x, global const half* y, global const half* z, global half* r, int n)"
         " { for (int i = 0; i < n; ++i) r[i] = " +
         expression + "; }\n";
}

double sin_pi(double x) {
  const double r = std::remainder(x, 2.0);
  if (r == std::trunc(r)) return std::copysign(0.0, x);
  return std::abs(r) > 0.5 ? std::copysign(std::sin(kPi * (1 - std::abs(r))), r) : std::sin(kPi * r);
}
double cos_pi(double x) {
  const double r = std::abs(std::remainder(x, 2.0));
  return r == 0.5 ? 0.0 : r > 0.25 && r < 0.75 ? std::sin(kPi * (0.5 - r)) : std::cos(kPi * r);
}
double tan_pi(double x) {
  const double r = std::remainder(x, 2.0), c = cos_pi(x);
  // Zeros: sign of x, inverted at odd numbers; poles: plus after an even number, minus after an odd one.
  if (r == std::trunc(r)) return r == 0 ? std::copysign(0.0, x) : std::copysign(0.0, -x);
  return c == 0 ? (r > 0 ? HUGE_VAL : -HUGE_VAL) : sin_pi(x) / c;
}
double power_of_positive(double x, double y) {
  const bool open = (x == 0 && y == 0) || (std::isinf(x) && y == 0) || (x == 1 && std::isinf(y));
  return x < 0 || open || std::isnan(x) || std::isnan(y) ? NAN : std::pow(std::abs(x), y);
}

struct Row {
  const char* name;
  double bound;  ///< ULP of half; 0: correctly rounded
  Reference reference;
};

#define LW_SAME(f, bound) {#f, bound, [](double x, double) { return std::f(x); }}
const Row kUnary[] = {
    LW_SAME(acos, 2),
    LW_SAME(acosh, 2),
    {"acospi", 2, [](double x, double) { return std::acos(x) / kPi; }},
    LW_SAME(asin, 2),
    LW_SAME(asinh, 2),
    {"asinpi", 2, [](double x, double) { return std::asin(x) / kPi; }},
    LW_SAME(atan, 2),
    LW_SAME(atanh, 2),
    {"atanpi", 2, [](double x, double) { return std::atan(x) / kPi; }},
    LW_SAME(cbrt, 2),
    LW_SAME(ceil, 0),
    LW_SAME(cos, 2),
    LW_SAME(cosh, 2),
    {"cospi", 2, [](double x, double) { return cos_pi(x); }},
    {"degrees", 2, [](double x, double) { return x * (180 / kPi); }},
    LW_SAME(erf, 4),
    LW_SAME(erfc, 4),
    LW_SAME(exp, 2),
    LW_SAME(exp2, 2),
    {"exp10", 2, [](double x, double) { return std::pow(10.0, x); }},
    LW_SAME(expm1, 2),
    LW_SAME(fabs, 0),
    LW_SAME(floor, 0),
    LW_SAME(lgamma, 1),
    LW_SAME(log, 2),
    LW_SAME(log2, 2),
    LW_SAME(log10, 2),
    LW_SAME(log1p, 2),
    LW_SAME(logb, 0),
    {"radians", 2, [](double x, double) { return x * (kPi / 180); }},
    {"rint", 0, [](double x, double) { return std::nearbyint(x); }},
    LW_SAME(round, 0),
    {"rsqrt", 1, [](double x, double) { return 1 / std::sqrt(x); }},
    LW_SAME(sin, 2),
    LW_SAME(sinh, 2),
    {"sinpi", 2, [](double x, double) { return sin_pi(x); }},
    LW_SAME(sqrt, 0),
    LW_SAME(tan, 2),
    LW_SAME(tanh, 2),
    {"tanpi", 2, [](double x, double) { return tan_pi(x); }},
    {"tgamma", 4, [](double x, double) { return x < 0 && x == std::trunc(x) ? NAN : std::tgamma(x); }},
    LW_SAME(trunc, 0)};
#define LW_SAME_2(f, bound) {#f "(x[i], y[i])", bound, [](double x, double y) { return std::f(x, y); }}
const Row kBinary[] = {{"x[i] + y[i]", 0, [](double x, double y) { return x + y; }},
                       {"x[i] - y[i]", 0, [](double x, double y) { return x - y; }},
                       {"x[i] * y[i]", 0, [](double x, double y) { return x * y; }},
                       {"x[i] / y[i]", 0, [](double x, double y) { return x / y; }},
                       LW_SAME_2(atan2, 2),
                       {"atan2pi(x[i], y[i])", 2, [](double x, double y) { return std::atan2(x, y) / kPi; }},
                       LW_SAME_2(copysign, 0),
                       LW_SAME_2(fdim, 0),
                       LW_SAME_2(fmod, 0),
                       LW_SAME_2(hypot, 2),
                       LW_SAME_2(pow, 4),
                       {"powr(x[i], y[i])", 4, power_of_positive},
                       LW_SAME_2(remainder, 0)};

/// Distance in ULPs of half; infinite where only one is NaN, or a zero has the wrong sign.
double error(HalfBits got, double want, double bound) {
  if (std::isnan(want) || is_nan(got)) return std::isnan(want) && is_nan(got) ? 0 : HUGE_VAL;
  const HalfBits rounded = half_of(want);
  if (got == rounded) return 0;
  if (bound == 0 || (got & 0x7fff) == 0)
    return bound == 0 || want == 0 || std::signbit(want) != got >> 15 ? HUGE_VAL : std::abs(want) / 0x1p-24;
  // Infinity counts as the value after the largest.
  const double top = 65536;
  const double value = (got & 0x7fff) == 0x7c00 ? std::copysign(top, static_cast<double>(wide_of(got)))
                                                : static_cast<double>(wide_of(got));
  const double exact = std::abs(want) > top ? std::copysign(top, want) : want;
  const int place = std::clamp(exact == 0 ? -14 : std::ilogb(exact), -14, 15) - 10;
  return std::abs(value - exact) / std::ldexp(1.0, place);
}

void compare(const Row& row, Function* run, const std::vector<HalfBits>& x, const std::vector<HalfBits>& y,
             unsigned level) {
  ASSERT_TRUE(run);
  std::vector<HalfBits> r(x.size());
  run(x.data(), y.data(), y.data(), r.data(), static_cast<int>(x.size()));
  double worst = 0;
  std::size_t at = 0;
  const auto want = [&](std::size_t i) {
    return row.reference(static_cast<double>(wide_of(x[i])), static_cast<double>(wide_of(y[i])));
  };
  for (std::size_t i = 0; i < x.size(); ++i)
    if (const double e = error(r[i], want(i), row.bound); e > worst) worst = e, at = i;
  EXPECT_LE(worst, row.bound) << row.name << " of " << wide_of(x[at]) << ", " << wide_of(y[at]) << " = "
                              << wide_of(r[at]) << " instead of " << want(at) << ", level " << level;
}

/// Pairs with edges, ties and cancellation: special values with everything, and random ones.
void pairs(std::vector<HalfBits>& x, std::vector<HalfBits>& y) {
  std::mt19937 random(11);
  constexpr HalfBits kSpecial[] = {0,      0x8000, 1,      0x8001, 0x03ff, 0x0400, 0x3c00, 0xbc00, 0x3c01,
                                   0x3800, 0x4000, 0x4200, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x1400};
  for (unsigned i = 0; i < 65536; i += 7)
    for (const HalfBits s : kSpecial) x.push_back(static_cast<HalfBits>(i)), y.push_back(s);
  for (const HalfBits s : kSpecial)
    for (const HalfBits t : kSpecial) x.push_back(s), y.push_back(t);
  for (int i = 0; i < 200000; ++i) {
    const auto bits = random();
    x.push_back(static_cast<HalfBits>(bits)), y.push_back(static_cast<HalfBits>(bits >> 16));
    if (i % 2) y.back() = static_cast<HalfBits>(x.back() ^ (bits >> 16 & 0x83ff));  // near each other
  }
}

class BuiltinHalf : public AtLevel {};

TEST_P(BuiltinHalf, FunctionsOfOneArgumentAreWithinBounds) {
  std::string text = kEnable;
  for (const Row& row : kUnary) text += loop(std::string("f_") + row.name, std::string(row.name) + "(x[i])");
  BuiltinProgram program(text, GetParam());
  const auto x = all_halves();
  for (const Row& row : kUnary)
    compare(row, program.get<Function>((std::string("f_") + row.name).c_str()), x, x, GetParam());
}

TEST_P(BuiltinHalf, ArithmeticAndFunctionsOfTwoArgumentsAreWithinBounds) {
  std::string text = kEnable;
  for (std::size_t k = 0; k < std::size(kBinary); ++k) text += loop("f" + std::to_string(k), kBinary[k].name);
  BuiltinProgram program(text, GetParam());
  std::vector<HalfBits> x, y;
  pairs(x, y);
  for (std::size_t k = 0; k < std::size(kBinary); ++k)
    compare(kBinary[k], program.get<Function>(("f" + std::to_string(k)).c_str()), x, y, GetParam());
}

// Sums of a product and an addend that a float cannot hold, near ties of half.
TEST_P(BuiltinHalf, FmaRoundsOnceAndMadTwice) {
  BuiltinProgram program(kEnable + loop("fused", "fma(x[i], y[i], z[i])") + loop("apart", "mad(x[i], y[i], z[i])"),
                         GetParam());
  std::mt19937 random(5);
  std::vector<HalfBits> x, y, z;
  for (int i = 0; i < 1000000; ++i) {
    const auto a = random(), b = random();
    x.push_back(static_cast<HalfBits>(a)), y.push_back(static_cast<HalfBits>(a >> 16));
    z.push_back(static_cast<HalfBits>(b));
    if (i % 4 == 0) continue;
    // Products of about 1, addends that are ties or one unit away from them, or nearly zero.
    x.back() = static_cast<HalfBits>((x.back() & 0x83ff) | 0x3c00);
    y.back() = static_cast<HalfBits>((y.back() & 0x83f0) | 0x3800);
    if (i % 4 == 2) z.back() = half_of(-(wide_of(x.back()) * wide_of(y.back())));
    if (i % 4 == 3) z.back() = static_cast<HalfBits>(b & 0x8007);
  }
  const auto check = [&](const char* name, auto reference) {
    auto* run = program.get<Function>(name);
    ASSERT_TRUE(run);
    std::vector<HalfBits> r(x.size());
    run(x.data(), y.data(), z.data(), r.data(), static_cast<int>(x.size()));
    int failures = 0;
    for (std::size_t i = 0; i < x.size() && failures < 5; ++i) {
      const HalfBits want = reference(wide_of(x[i]), wide_of(y[i]), wide_of(z[i]));
      const bool same = r[i] == want || (is_nan(r[i]) && is_nan(want));
      failures += !same;
      EXPECT_TRUE(same) << name << "(" << wide_of(x[i]) << ", " << wide_of(y[i]) << ", " << wide_of(z[i])
                        << ") = " << wide_of(r[i]) << " instead of " << wide_of(want);
    }
  };
  check("fused", [](Wide a, Wide b, Wide c) { return half_of(a * b + c); });
  check("apart", [](Wide a, Wide b, Wide c) { return half_of(wide_of(half_of(a * b)) + c); });
}

TEST_P(BuiltinHalf, PartsOfNumbers) {
  BuiltinProgram program(
      kEnable + loop("f_fract", "fract(x[i], (global half*)r + n + i)") +
          loop("f_modf", "modf(x[i], (global half*)r + n + i)") + loop("f_next", "nextafter(x[i], y[i])") +
          "void f_parts(global const half* x, global int* e, global half* m, int n) { for (int i = 0; i < n; ++i) {"
          " int k; m[i] = frexp(x[i], &k); e[3 * i] = k; e[3 * i + 1] = ilogb(x[i]);"
          " e[3 * i + 2] = as_short(ldexp(m[i], k)); } }",
      GetParam());
  const auto x = all_halves();
  std::vector<HalfBits> r(2 * x.size());
  const auto n = static_cast<int>(x.size());
  auto* fract = program.get<Function>("f_fract");
  auto* modf = program.get<Function>("f_modf");
  ASSERT_TRUE(fract && modf);
  fract(x.data(), x.data(), x.data(), r.data(), n);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Wide v = wide_of(x[i]);
    if (std::isnan(v) || std::isinf(v)) continue;
    ASSERT_EQ(wide_of(r[x.size() + i]), std::floor(v)) << v;
    ASSERT_EQ(wide_of(r[i]), wide_of(half_of(std::min(v - std::floor(v), Wide(0x1.ffcp-1)), Rounding::nearest))) << v;
  }
  modf(x.data(), x.data(), x.data(), r.data(), n);
  for (std::size_t i = 0; i < x.size(); ++i) {
    Wide whole = 0;
    const HalfBits rest = half_of(std::modf(wide_of(x[i]), &whole));
    if (is_nan(x[i])) continue;
    ASSERT_EQ(r[i], rest) << wide_of(x[i]);
    ASSERT_EQ(r[x.size() + i], half_of(whole));
  }
  std::vector<HalfBits> toward(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) toward[i] = static_cast<HalfBits>(i * 40503u >> 3);
  auto* next = program.get<Function>("f_next");
  ASSERT_TRUE(next);
  next(x.data(), toward.data(), x.data(), r.data(), n);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Wide a = wide_of(x[i]), b = wide_of(toward[i]);
    if (std::isnan(a) || std::isnan(b)) continue;
    // The nearest half beyond a on b's side: a moved by less than half's smallest step, rounded that way.
    const Wide moved = std::isinf(a) && a != b ? std::copysign(kLargestHalf, a) : a + std::copysign(0x1p-30L, b - a);
    const HalfBits want = a == b ? toward[i] : half_of(moved, b > a ? Rounding::up : Rounding::down);
    ASSERT_EQ(wide_of(r[i]), wide_of(want)) << a << " toward " << b;
  }
  auto* parts = program.get<void(const HalfBits*, int*, HalfBits*, int)>("f_parts");
  ASSERT_TRUE(parts);
  std::vector<int> e(3 * x.size());
  parts(x.data(), e.data(), r.data(), n);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Wide v = wide_of(x[i]);
    if (std::isnan(v) || std::isinf(v) || v == 0) continue;
    int exponent = 0;
    ASSERT_EQ(wide_of(r[i]), std::frexp(v, &exponent)) << v;
    ASSERT_EQ(e[3 * i], exponent) << v;
    ASSERT_EQ(e[3 * i + 1], std::ilogb(v)) << v;
    ASSERT_EQ(static_cast<HalfBits>(e[3 * i + 2]), x[i]) << v;
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, BuiltinHalf, ::testing::Values(2U, 3U, 4U));

}  // namespace
}  // namespace lanewise::test

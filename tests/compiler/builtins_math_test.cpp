// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Accuracy of the math functions on random and special arguments against the C library in long double (64 bits of
/// fraction: enough to measure float to 2^-40 and double to 2^-11 of a unit in the last place).
/// Bounds: OpenCL SPIR-V environment specification, "Relative Error as ULPs".
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

#include "tests/compiler/builtins_program.h"

namespace lanewise::test {
namespace {

using Wide = long double;
using Reference = std::function<Wide(Wide, Wide)>;

constexpr Wide kPi = 3.14159265358979323846264338327950288L;

/// sin(pi x) and the like: exact reduction first.
Wide reduced_pi(Wide x) {
  return std::remainder(x, 2.0L);
}
Wide sin_pi(Wide x) {
  const Wide r = reduced_pi(x);
  if (r == std::trunc(r)) return std::copysign(0.0L, x);
  return std::abs(r) > 0.5L ? std::copysign(std::sin(kPi * (1 - std::abs(r))), r) : std::sin(kPi * r);
}
Wide cos_pi(Wide x) {
  const Wide r = std::abs(reduced_pi(x));
  if (r == 0.5L) return 0.0L;
  return r > 0.25L && r < 0.75L ? std::sin(kPi * (0.5L - r)) : std::cos(kPi * r);
}

/// powr: x >= 0 by definition, and the undetermined forms are NaN.
Wide power_of_positive(Wide x, Wide y) {
  const bool undetermined = (x == 0 && y == 0) || (std::isinf(x) && y == 0) || (x == 1 && std::isinf(y));
  return x < 0 || undetermined || std::isnan(x) || std::isnan(y) ? std::nanl("") : std::pow(std::abs(x), y);
}

Wide root(Wide x, Wide n) {
  const bool even = std::fmod(n, 2.0L) == 0;
  if (n == 0 || (x < 0 && even)) return std::nanl("");
  const Wide r = std::pow(std::abs(x), 1 / n);
  return even ? r : std::copysign(r, x);
}

struct Row {
  const char* name;
  int arity;           ///< 1, 2; 3 means (x, int)
  double float_bound;  ///< ULP
  double double_bound;
  Reference reference;
  double low, high;  ///< where most of the random first arguments lie; the rest are random bits
  double low2 = 0, high2 = 0;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      {"acos", 1, 4, 4, [](Wide x, Wide) { return std::acos(x); }, -1, 1},
      {"acosh", 1, 4, 4, [](Wide x, Wide) { return std::acosh(x); }, 1, 100},
      {"acospi", 1, 5, 5, [](Wide x, Wide) { return std::acos(x) / kPi; }, -1, 1},
      {"asin", 1, 4, 4, [](Wide x, Wide) { return std::asin(x); }, -1, 1},
      {"asinh", 1, 4, 4, [](Wide x, Wide) { return std::asinh(x); }, -100, 100},
      {"asinpi", 1, 5, 5, [](Wide x, Wide) { return std::asin(x) / kPi; }, -1, 1},
      {"atan", 1, 5, 5, [](Wide x, Wide) { return std::atan(x); }, -10, 10},
      {"atanh", 1, 5, 5, [](Wide x, Wide) { return std::atanh(x); }, -1, 1},
      {"atanpi", 1, 5, 5, [](Wide x, Wide) { return std::atan(x) / kPi; }, -10, 10},
      {"cbrt", 1, 2, 2, [](Wide x, Wide) { return std::cbrt(x); }, -1000, 1000},
      {"cos", 1, 4, 4, [](Wide x, Wide) { return std::cos(x); }, -100, 100},
      {"cosh", 1, 4, 4, [](Wide x, Wide) { return std::cosh(x); }, -90, 90},
      {"cospi", 1, 4, 4, [](Wide x, Wide) { return cos_pi(x); }, -10, 10},
      {"erf", 1, 16, 16, [](Wide x, Wide) { return std::erf(x); }, -4, 4},
      {"erfc", 1, 16, 16, [](Wide x, Wide) { return std::erfc(x); }, -4, 9},
      {"exp", 1, 3, 3, [](Wide x, Wide) { return std::exp(x); }, -104, 90},
      {"exp2", 1, 3, 3, [](Wide x, Wide) { return std::exp2(x); }, -150, 130},
      {"exp10", 1, 3, 3, [](Wide x, Wide) { return std::pow(10.0L, x); }, -46, 39},
      {"expm1", 1, 3, 3, [](Wide x, Wide) { return std::expm1(x); }, -20, 90},
      {"fabs", 1, 0, 0, [](Wide x, Wide) { return std::abs(x); }, -10, 10},
      {"ceil", 1, 0, 0, [](Wide x, Wide) { return std::ceil(x); }, -10, 10},
      {"floor", 1, 0, 0, [](Wide x, Wide) { return std::floor(x); }, -10, 10},
      {"trunc", 1, 0, 0, [](Wide x, Wide) { return std::trunc(x); }, -10, 10},
      {"rint", 1, 0, 0, [](Wide x, Wide) { return std::rint(x); }, -10, 10},
      {"round", 1, 0, 0, [](Wide x, Wide) { return std::round(x); }, -10, 10},
      {"log", 1, 3, 3, [](Wide x, Wide) { return std::log(x); }, 0, 10},
      {"log2", 1, 3, 3, [](Wide x, Wide) { return std::log2(x); }, 0, 10},
      {"log10", 1, 3, 3, [](Wide x, Wide) { return std::log10(x); }, 0, 10},
      {"log1p", 1, 2, 2, [](Wide x, Wide) { return std::log1p(x); }, -1, 10},
      {"logb", 1, 0, 0, [](Wide x, Wide) { return std::logb(x); }, -10, 10},
      {"rsqrt", 1, 2, 2, [](Wide x, Wide) { return x == 0 ? 1 / x : 1 / std::sqrt(x); }, 0, 100},
      {"sin", 1, 4, 4, [](Wide x, Wide) { return std::sin(x); }, -100, 100},
      {"sinh", 1, 4, 4, [](Wide x, Wide) { return std::sinh(x); }, -90, 90},
      {"sinpi", 1, 4, 4, [](Wide x, Wide) { return sin_pi(x); }, -10, 10},
      {"sqrt", 1, 0.5, 0.5, [](Wide x, Wide) { return std::sqrt(x); }, 0, 100},
      {"tan", 1, 5, 5, [](Wide x, Wide) { return std::tan(x); }, -100, 100},
      {"tanh", 1, 5, 5, [](Wide x, Wide) { return std::tanh(x); }, -10, 10},
      {"tanpi", 1, 6, 6, [](Wide x, Wide) { return sin_pi(x) / cos_pi(x); }, -10, 10},
      {"tgamma", 1, 16, 16, [](Wide x, Wide) { return std::tgamma(x); }, -180, 175},
      {"atan2", 2, 6, 6, [](Wide x, Wide y) { return std::atan2(x, y); }, -10, 10, -10, 10},
      {"atan2pi", 2, 6, 6, [](Wide x, Wide y) { return std::atan2(x, y) / kPi; }, -10, 10, -10, 10},
      {"copysign", 2, 0, 0, [](Wide x, Wide y) { return std::copysign(x, y); }, -10, 10, -10, 10},
      {"fdim", 2, 0.5, 0.5, [](Wide x, Wide y) { return std::fdim(x, y); }, -10, 10, -10, 10},
      {"fmax", 2, 0, 0, [](Wide x, Wide y) { return std::fmax(x, y); }, -10, 10, -10, 10},
      {"fmin", 2, 0, 0, [](Wide x, Wide y) { return std::fmin(x, y); }, -10, 10, -10, 10},
      {"fmod", 2, 0, 0, [](Wide x, Wide y) { return std::fmod(x, y); }, -1e6, 1e6, -10, 10},
      {"hypot", 2, 4, 4, [](Wide x, Wide y) { return std::hypot(x, y); }, -10, 10, -10, 10},
      {"pow", 2, 16, 16, [](Wide x, Wide y) { return std::pow(x, y); }, 0, 10, -40, 40},
      {"powr", 2, 16, 16, power_of_positive, 0, 10, -40, 40},
      {"remainder", 2, 0, 0, [](Wide x, Wide y) { return std::remainder(x, y); }, -1e6, 1e6, -10, 10},
      {"ldexp", 3, 0.5, 0.5, [](Wide x, Wide n) { return std::ldexp(x, static_cast<int>(n)); }, -10, 10, -160, 160},
      {"pown", 3, 16, 16, [](Wide x, Wide n) { return std::pow(x, n); }, -10, 10, -40, 40},
      {"rootn", 3, 16, 16, root, -10, 10, -40, 40},
  };
  return table;
}

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// Distance in units of T's last place at the reference; infinite where one is NaN or infinite and the other is not.
template <class T>
double error(T got, Wide want) {
  using Limits = std::numeric_limits<T>;
  const T rounded = static_cast<T>(want);
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got) ? 0 : HUGE_VAL;
  if (got == rounded) return std::abs(static_cast<double>(want - rounded)) == 0 ? 0 : std::isinf(got) ? 0 : 1e-3;
  // Infinity counts as one step beyond the largest value.
  const Wide top = std::ldexp(1.0L, Limits::max_exponent);
  const Wide value = std::isinf(got) ? std::copysign(top, static_cast<Wide>(got)) : static_cast<Wide>(got);
  const Wide exact = std::abs(want) > top ? std::copysign(top, want) : want;
  const int exponent = want == 0 ? Limits::min_exponent : std::ilogb(exact) + 1;
  const int ulp = std::max(std::min(exponent, Limits::max_exponent), Limits::min_exponent) - Limits::digits;
  return static_cast<double>(std::abs(value - exact) / std::ldexp(1.0L, ulp));
}

template <class T>
std::vector<T> arguments(double low, double high, unsigned seed) {
  using Limits = std::numeric_limits<T>;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> inside(low, high);
  std::vector<T> out;
  for (int i = 0; i < 40000; ++i) {
    T value;
    if (i % 4) {
      value = static_cast<T>(inside(random));
    } else {
      const auto bits = static_cast<Bits<T>>(random());
      std::memcpy(&value, &bits, sizeof value);
    }
    out.push_back(value);
  }
  const T special[] = {0,
                       -T(0),
                       1,
                       -1,
                       T(0.5),
                       T(-0.5),
                       2,
                       -2,
                       3,
                       -3,
                       Limits::infinity(),
                       -Limits::infinity(),
                       Limits::quiet_NaN(),
                       Limits::max(),
                       -Limits::max(),
                       Limits::min(),
                       -Limits::min(),
                       Limits::denorm_min(),
                       -Limits::denorm_min(),
                       Limits::epsilon(),
                       T(1e10),
                       T(-1e10)};
  for (std::size_t i = 0; i < 22 * 22; ++i) out.push_back(special[seed ? i % 22 : i / 22]);
  return out;
}

std::string source(const char* type) {
  std::string text;
  const std::string t = type;
  for (const auto& row : rows()) {
    const std::string second = row.arity == 3 ? "(int)y[i]" : "y[i]";
    text += "void f_" + std::string(row.name) + "(global const " + t + "* x, global const " + t + "* y, global " + t +
            "* r, int n) { for (int i = 0; i < n; ++i) r[i] = " + row.name + "(x[i]" +
            (row.arity == 1 ? "" : ", " + second) + "); }\n";
  }
  return text;
}

template <class T>
void check(const char* type, unsigned level) {
  BuiltinProgram program(source(type), level);
  for (const auto& row : rows()) {
    auto* run = program.get<void(const T*, const T*, T*, int)>(("f_" + std::string(row.name)).c_str());
    ASSERT_TRUE(run);
    const auto x = arguments<T>(row.low, row.high, 0);
    auto y = arguments<T>(row.low2, row.high2, 1);
    if (row.arity == 3)
      for (auto& v : y) v = std::isfinite(v) && std::abs(v) < 1e6 ? std::trunc(v) : T(3);
    std::vector<T> r(x.size());
    run(x.data(), y.data(), r.data(), static_cast<int>(x.size()));
    double worst = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Wide want = row.reference(x[i], row.arity == 1 ? 0 : static_cast<Wide>(y[i]));
      double e = error(r[i], want);
      // The greater of two zeros may be either; every other zero has its sign.
      const bool either = row.name[0] == 'f' && row.name[1] == 'm';
      if (r[i] == 0 && want == 0 && std::signbit(r[i]) != std::signbit(want) && !either) e = HUGE_VAL;
      if (!(e <= worst)) worst = e, at = i;
    }
    const double bound = sizeof(T) == 4 ? row.float_bound : row.double_bound;
    // Exact functions have an error below a thousandth where the reference is not representable.
    EXPECT_LE(worst, std::max(bound, 1e-3))
        << type << " " << row.name << "(" << static_cast<double>(x[at]) << ", " << static_cast<double>(y[at])
        << ") = " << static_cast<double>(r[at]) << " instead of "
        << static_cast<double>(row.reference(x[at], static_cast<Wide>(y[at]))) << ", level " << level;
    ::testing::Test::RecordProperty(std::string(row.name) + "_" + type, std::to_string(worst));
  }
}

class BuiltinMath : public AtLevel {};

TEST_P(BuiltinMath, FloatIsWithinBounds) {
  check<float>("float", GetParam());
}
TEST_P(BuiltinMath, DoubleIsWithinBounds) {
  check<double>("double", GetParam());
}

/// Powers of integers that have room in T, and their roots: programs take (int)pow(5.0f, 3.0f) for 125.
template <class T>
void check_whole_powers(const char* type, unsigned level) {
  const std::string t = type;
  std::string text;
  for (const char* call : {"pow(x[i], y[i])", "powr(x[i], y[i])", "pown(x[i], (int)y[i])", "rootn(z[i], (int)y[i])"})
    text += "void f" + std::to_string(text.size()) + "(global const " + t + "* x, global const " + t +
            "* y, global const " + t + "* z, global " + t + "* r, int n) { for (int i = 0; i < n; ++i) r[i] = " + call +
            "; }\n";
  BuiltinProgram program(text, level);
  std::vector<T> x, y, z;
  const Wide most = std::ldexp(1.0L, std::numeric_limits<T>::digits);
  for (unsigned base = 1; base < 5000; ++base)
    for (unsigned n = 1; n <= 53 && std::pow(static_cast<Wide>(base), n) <= most; ++n)
      x.push_back(static_cast<T>(base)), y.push_back(static_cast<T>(n)),
          z.push_back(static_cast<T>(std::pow(static_cast<Wide>(base), n)));
  std::vector<T> r(x.size());
  for (std::size_t at = text.find(" f"); at != std::string::npos; at = text.find(" f", text.find('\n', at))) {
    const std::string name = text.substr(at + 1, text.find('(', at) - at - 1);
    auto* run = program.get<void(const T*, const T*, const T*, T*, int)>(name.c_str());
    ASSERT_TRUE(run);
    run(x.data(), y.data(), z.data(), r.data(), static_cast<int>(x.size()));
    const bool root = text.compare(text.find("r[i] = ", at) + 7, 5, "rootn") == 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(r[i], root ? x[i] : z[i]) << type << (root ? " root of " : " power of ") << x[i] << ", " << y[i]
                                          << ", level " << level << ", function " << name;
  }
}
TEST_P(BuiltinMath, PowersOfIntegersAndTheirRootsAreExact) {
  check_whole_powers<float>("float", GetParam());
  check_whole_powers<double>("double", GetParam());
}

template <class T>
void check_fma(const char* type, unsigned level) {
  const std::string t = type;
  BuiltinProgram program("void run(global const " + t + "* x, global const " + t + "* y, global const " + t +
                             "* z, global " + t +
                             "* r, int n) { for (int i = 0; i < n; ++i) r[i] = "
                             "fma(x[i], y[i], z[i]); }",
                         level);
  auto* run = program.get<void(const T*, const T*, const T*, T*, int)>("run");
  ASSERT_TRUE(run);
  std::mt19937_64 random(7);
  std::vector<T> x, y, z;
  const auto any = [&](bool near) {
    T value;
    auto bits = static_cast<Bits<T>>(random());
    std::memcpy(&value, &bits, sizeof value);
    if (near && std::isfinite(value) && value != 0) value = std::ldexp(value, -std::ilogb(value) + int(random() % 9));
    return value;
  };
  for (int i = 0; i < 400000; ++i) {
    x.push_back(any(i & 1));
    y.push_back(any(i & 1));
    // Cancellation to the last bits, ties, far apart exponents, subnormal sums.
    switch (i % 6) {
      case 0:
        z.push_back(any(false));
        break;
      case 1:
        z.push_back(-x.back() * y.back());
        break;
      case 2:
        z.push_back(std::nextafter(-x.back() * y.back(), T(0)));
        break;
      case 3:
        z.push_back(std::ldexp(x.back() * y.back(), int(random() % 120) - 60));
        break;
      case 4:
        z.push_back(std::numeric_limits<T>::denorm_min() * T(random() % 8));
        break;
      default:
        z.push_back(any(true));
    }
    if (i % 5 == 4) x.back() = std::ldexp(x.back(), std::numeric_limits<T>::min_exponent);
  }
  std::vector<T> r(x.size());
  run(x.data(), y.data(), z.data(), r.data(), static_cast<int>(x.size()));
  int failures = 0;
  for (std::size_t i = 0; i < x.size() && failures < 5; ++i) {
    const T want = std::fma(x[i], y[i], z[i]);
    const bool same = std::isnan(want) ? std::isnan(r[i]) : std::memcmp(&want, &r[i], sizeof(T)) == 0;
    if (!same) ++failures;
    EXPECT_TRUE(same) << type << " fma(" << x[i] << ", " << y[i] << ", " << z[i] << ") = " << r[i] << " instead of "
                      << want << ", level " << level;
  }
}

TEST_P(BuiltinMath, FmaRoundsOnce) {
  check_fma<float>("float", GetParam());
  check_fma<double>("double", GetParam());
}

INSTANTIATE_TEST_SUITE_P(Levels, BuiltinMath, ::testing::Values(2U, 3U, 4U));

}  // namespace
}  // namespace lanewise::test

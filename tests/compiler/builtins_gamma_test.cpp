// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// lgamma and lgamma_r, for which OpenCL demands no accuracy: the bounds that ours promises, and the special cases of
/// C99 and of the SPIR-V environment specification, 6.7.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "tests/compiler/builtins_program.h"

namespace lanewise::test {
namespace {

constexpr const char* kSource = R"(
  void run(global const T* x, global T* r, global T* again, global int* sign, int n) {
    for (int i = 0; i < n; ++i) {
      r[i] = lgamma(x[i]);
      again[i] = lgamma_r(x[i], sign + i);
    }
  }
)";

template <class T>
std::vector<T> arguments() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> out = {0,
                        Limits::infinity(),
                        Limits::quiet_NaN(),
                        Limits::max(),
                        Limits::max() / 128,
                        Limits::min(),
                        Limits::denorm_min(),
                        Limits::denorm_min() * 3,
                        Limits::epsilon() / 4,
                        T(1e-30)};
  for (int k = 1; k < 48; ++k)  // halves and their neighbours: poles, zeros, and where the forms change
    for (const int step : {-1, 0, 1})
      out.push_back(std::nextafter(T(0.5) * T(k), step < 0 ? T(0) : step > 0 ? T(100) : T(0.5) * T(k)));
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> small(0, 10), exponent(-140, 120);
  for (int i = 0; i < 20000; ++i) out.push_back(static_cast<T>(i % 2 ? small(random) : std::exp2(exponent(random))));
  for (std::size_t i = 0, n = out.size(); i < n; ++i) out.push_back(-out[i]);
  return out;
}

bool is_pole(long double x) {
  return x <= 0 && x == std::floor(x);
}

/// Spec 6.7: 0 for zeros and the negative integers.
int sign_of_gamma(long double x) {
  if (std::isfinite(x) && is_pole(x)) return 0;
  return x < 0 && std::isfinite(x) && std::fmod(std::floor(x), 2.0L) != 0 ? -1 : 1;
}

/// The error in ULP of the exact value; around its zeros on the negative axis, where larger terms cancel, in ULP of
/// these terms.
template <class T>
double error(T got, long double x) {
  if (std::isnan(x)) return std::isnan(got) ? 0 : HUGE_VAL;
  if (is_pole(x) || std::isinf(x)) return got == std::numeric_limits<T>::infinity() ? 0 : HUGE_VAL;
  const long double want = std::lgamma(x);
  const T rounded = static_cast<T>(want);
  if (rounded == 0 || std::isinf(rounded)) return got == rounded && !std::signbit(got) ? 0 : HUGE_VAL;
  const long double terms = x < -2 ? std::max({1.0L, std::abs(want), std::lgamma(-x)}) : std::abs(want);
  const int exponent = std::ilogb(terms);
  return static_cast<double>(std::abs(got - want) / std::ldexp(1.0L, exponent + 1 - std::numeric_limits<T>::digits));
}

template <class T>
void check(const char* type, unsigned level, double bound) {
  BuiltinProgram program("typedef " + std::string(type) + " T;" + kSource, level);
  auto* run = program.get<void(const T*, T*, T*, int*, int)>("run");
  ASSERT_TRUE(run);
  const auto x = arguments<T>();
  std::vector<T> r(x.size()), again(x.size());
  std::vector<int> sign(x.size());
  run(x.data(), r.data(), again.data(), sign.data(), static_cast<int>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto where = ::testing::Message() << type << " level " << level << " x " << x[i] << ": " << r[i];
    ASSERT_LE(error(r[i], x[i]), bound) << where;
    ASSERT_LE(error(again[i], x[i]), bound) << where << " lgamma_r";
    if (!std::isnan(x[i])) ASSERT_EQ(sign[i], sign_of_gamma(x[i])) << where << " sign";
  }
}

class BuiltinGamma : public ::testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override {
    if (GetParam() > host_level()) GTEST_SKIP() << "this machine cannot run x86-64-v" << GetParam();
  }
};

TEST_P(BuiltinGamma, LogOfGammaInFloat) {
  check<float>("float", GetParam(), 1);
}
TEST_P(BuiltinGamma, LogOfGammaInDouble) {
  check<double>("double", GetParam(), 8);
}

INSTANTIATE_TEST_SUITE_P(Levels, BuiltinGamma, ::testing::Values(2U, 3U, 4U));

}  // namespace
}  // namespace lanewise::test

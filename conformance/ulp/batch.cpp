// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conformance/ulp/batch.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>

// clang-format off
#define FUNCTIONS(F) \
  F(acos) F(acosh) F(asin) F(asinh) F(atan) F(atanh) F(cbrt) F(cos) F(cosh) F(erf) F(erfc) F(exp) F(exp2) F(exp10) \
  F(expm1) F(log) F(log2) F(log10) F(log1p) F(sin) F(sinh) F(tan) F(tanh)
// clang-format on

#ifdef LANEWISE_LIBMVEC
// The vector ABI's names: AVX2 (d), no mask (N), four lanes, one vector argument (v).
using Vector = double __attribute__((vector_size(32)));
#define DECLARE(name) extern "C" Vector _ZGVdN4v_##name(Vector);
FUNCTIONS(DECLARE)
#endif

namespace lanewise::ulp {
namespace {

/// One argument at a time, for functions that have no vector form.
template <auto Function>
void each(const float* x, double* exact, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) exact[i] = Function(static_cast<double>(x[i]));
}

#ifdef LANEWISE_LIBMVEC
template <Vector (*Function)(Vector)>
__attribute__((target("avx2,fma"))) void four(const float* x, double* exact, std::size_t count) {
  for (std::size_t i = 0; i + 4 <= count; i += 4) {
    const Vector in = {x[i], x[i + 1], x[i + 2], x[i + 3]};
    const Vector out = Function(in);
    for (std::size_t l = 0; l < 4; ++l) exact[i + l] = out[l];
  }
}
#define CHOOSE(name) \
  {#name, __builtin_cpu_supports("avx2") ? four<_ZGVdN4v_##name> : each<[](double x) { return ::name(x); }>},
#else
#define CHOOSE(name) {#name, each<[](double x) { return ::name(x); }>},
#endif

const std::map<std::string, Batch>& plain() {
  static const auto& table = *new std::map<std::string, Batch>{
      FUNCTIONS(CHOOSE){"tgamma", each<[](double x) { return ::tgamma(x); }>},
      {"lgamma", each<[](double x) { return ::lgamma(x); }>},
      {"sqrt", each<[](double x) { return std::sqrt(x); }>},
      {"rsqrt", each<[](double x) { return 1 / std::sqrt(x); }>},
      {"reciprocal", each<[](double x) { return 1 / x; }>},
      {"ceil", each<[](double x) { return std::ceil(x); }>},
      {"fabs", each<[](double x) { return std::fabs(x); }>},
      {"floor", each<[](double x) { return std::floor(x); }>},
      {"logb", each<[](double x) { return std::logb(x); }>},
      {"rint", each<[](double x) { return std::rint(x); }>},
      {"round", each<[](double x) { return std::round(x); }>},
      {"trunc", each<[](double x) { return std::trunc(x); }>},
  };
  return table;
}

template <const char* Inner>
void over_pi(const float* x, double* exact, std::size_t count) {
  plain().at(Inner)(x, exact, count);
  for (std::size_t i = 0; i < count; ++i) exact[i] /= M_PI;
}

/// sin(pi x) of a double that is exact; a zero has the sign of x.
double half_turn_sine(double x) {
  const double k = std::rint(x), rest = x - k;
  const double s = std::sin(M_PI * rest);
  return rest == 0 ? std::copysign(0.0, x) : k - 2 * std::floor(k / 2) != 0 ? -s : s;
}
/// Its zeros are positive.
double half_turn_cosine(double x) {
  const double a = std::fabs(x), part = a - 2 * std::floor(a / 2);
  return std::isfinite(x) ? half_turn_sine(0.5 - part) + 0.0 : std::numeric_limits<double>::quiet_NaN();
}
double half_turn_sine_of_any(double x) {
  return std::isfinite(x) ? half_turn_sine(x) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Batch batch_reference(const std::string& name) {
  static constexpr char kAcos[] = "acos", kAsin[] = "asin", kAtan[] = "atan";
  static const auto& derived = *new std::map<std::string, Batch>{
      {"acospi", over_pi<kAcos>},
      {"asinpi", over_pi<kAsin>},
      {"atanpi", over_pi<kAtan>},
      {"sinpi", each<half_turn_sine_of_any>},
      {"cospi", each<half_turn_cosine>},
      {"tanpi", each<[](double x) { return half_turn_sine_of_any(x) / half_turn_cosine(x); }>},
  };
  if (const auto found = plain().find(name); found != plain().end()) return found->second;
  const auto found = derived.find(name);
  return found == derived.end() ? nullptr : found->second;
}

/// As ulp_error, in double and without branches, so that the compiler can widen it.
#ifdef __x86_64__
__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
double largest_error(const float* got, const double* exact, std::size_t count) {
  constexpr std::uint64_t kLeast = std::uint64_t{1023 - 126} << 52, kMost = std::uint64_t{1023 + 127} << 52;
  constexpr double kEnd = 0x1p128, kInfinity = std::numeric_limits<double>::infinity();
  std::uint64_t most = 0;  // as bits, which are ordered like the numbers if these are not negative
  for (std::size_t i = 0; i < count; ++i) {
    const double e = exact[i], g = got[i];
    std::uint64_t exponent = std::bit_cast<std::uint64_t>(e) & (std::uint64_t{0x7ff} << 52);
    exponent = exponent < kLeast ? kLeast : exponent;
    exponent = exponent > kMost ? kMost : exponent;
    const auto scale = std::bit_cast<double>((std::uint64_t{1023 + 1023 + 23} << 52) - exponent);
    const double inside = e > kEnd ? kEnd : e < -kEnd ? -kEnd : e;
    const double value = g > kEnd ? kEnd : g < -kEnd ? -kEnd : g;
    double error = std::fabs(value - inside) * scale;
    const bool zero = (e == 0) & ((g != 0) | (std::signbit(e) != std::signbit(g)));
    const bool infinite = (std::fabs(e) == kInfinity) & (g != e);
    const bool none = (e != e) != (g != g);
    error = (zero | infinite | none) ? kInfinity : (e != e) ? 0 : error;
    most = std::max(most, std::bit_cast<std::uint64_t>(error));
  }
  return std::bit_cast<double>(most);
}

}  // namespace lanewise::ulp

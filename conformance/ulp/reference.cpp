// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conformance/ulp/reference.h"

#include <mpfr.h>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>

namespace lanewise::ulp {
namespace {

constexpr mpfr_prec_t kBits = 160;

class Number {
 public:
  explicit Number(long double v = 0) {
    mpfr_init2(value_, kBits);
    mpfr_set_ld(value_, v, MPFR_RNDN);
  }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  ~Number() { mpfr_clear(value_); }
  mpfr_ptr operator*() { return value_; }

 private:
  mpfr_t value_;
};

using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using Binary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

int log_of_gamma(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t rounding) {
  int sign = 0;
  return mpfr_lgamma(out, &sign, x, rounding);
}
/// In OpenCL the sign of an infinite result is that of the zero argument; MPFR's rec_sqrt(-0) is +infinity.
int reciprocal_root(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t rounding) {
  mpfr_sqrt(out, x, rounding);
  return mpfr_ui_div(out, 1, out, rounding);
}

const std::map<std::string, Unary>& unary() {
  static const auto& table = *new std::map<std::string, Unary>{
      {"acos", mpfr_acos},        {"acosh", mpfr_acosh},   {"acospi", mpfr_acospi}, {"asin", mpfr_asin},
      {"asinh", mpfr_asinh},      {"asinpi", mpfr_asinpi}, {"atan", mpfr_atan},     {"atanh", mpfr_atanh},
      {"atanpi", mpfr_atanpi},    {"cbrt", mpfr_cbrt},     {"cos", mpfr_cos},       {"cosh", mpfr_cosh},
      {"cospi", mpfr_cospi},      {"erf", mpfr_erf},       {"erfc", mpfr_erfc},     {"exp", mpfr_exp},
      {"exp2", mpfr_exp2},        {"exp10", mpfr_exp10},   {"expm1", mpfr_expm1},   {"lgamma", log_of_gamma},
      {"log", mpfr_log},          {"log2", mpfr_log2},     {"log10", mpfr_log10},   {"log1p", mpfr_log1p},
      {"rsqrt", reciprocal_root}, {"sin", mpfr_sin},       {"sinh", mpfr_sinh},     {"sinpi", mpfr_sinpi},
      {"sqrt", mpfr_sqrt},        {"tan", mpfr_tan},       {"tanh", mpfr_tanh},     {"tanpi", mpfr_tanpi},
      {"tgamma", mpfr_gamma},
  };
  return table;
}

const std::map<std::string, Binary>& binary() {
  static const auto& table = *new std::map<std::string, Binary>{
      {"atan2", mpfr_atan2},         {"atan2pi", mpfr_atan2pi}, {"fmod", mpfr_fmod}, {"hypot", mpfr_hypot},
      {"remainder", mpfr_remainder}, {"pow", mpfr_pow},         {"powr", mpfr_powr},
  };
  return table;
}

long double half_turn_sine(long double x) {
  const long double k = rintl(x);
  const long double s = sinl(std::numbers::pi_v<long double> * (x - k));
  return fmodl(k, 2) != 0 ? -s : s;
}
long double half_turn_cosine(long double x) {
  return half_turn_sine(0.5L - (std::fabs(x) - 2 * std::floor(std::fabs(x) / 2)));
}

#define FIRST(name, expression) {name, [](long double x, long double) -> long double { return expression; }}
#define BOTH(name, expression) {name, [](long double x, long double y) -> long double { return expression; }}

/// For double: long double's functions have errors below 2 of its ULP, 2^-10 of a double's.
const std::map<std::string, Fast>& wide() {
  static const auto& table = *new std::map<std::string, Fast>{
      FIRST("acos", acosl(x)),
      FIRST("acosh", acoshl(x)),
      FIRST("acospi", acosl(x) / M_PIl),
      FIRST("asin", asinl(x)),
      FIRST("asinh", asinhl(x)),
      FIRST("asinpi", asinl(x) / M_PIl),
      FIRST("atan", atanl(x)),
      FIRST("atanh", atanhl(x)),
      FIRST("atanpi", atanl(x) / M_PIl),
      FIRST("cbrt", cbrtl(x)),
      FIRST("cos", cosl(x)),
      FIRST("cosh", coshl(x)),
      FIRST("cospi", half_turn_cosine(x)),
      FIRST("erf", erfl(x)),
      FIRST("erfc", erfcl(x)),
      FIRST("exp", expl(x)),
      FIRST("exp2", exp2l(x)),
      FIRST("exp10", exp10l(x)),
      FIRST("expm1", expm1l(x)),
      FIRST("log", logl(x)),
      FIRST("log2", log2l(x)),
      FIRST("log10", log10l(x)),
      FIRST("log1p", log1pl(x)),
      FIRST("rsqrt", 1 / sqrtl(x)),
      FIRST("sin", sinl(x)),
      FIRST("sinh", sinhl(x)),
      FIRST("sinpi", half_turn_sine(x)),
      FIRST("sqrt", sqrtl(x)),
      FIRST("tan", tanl(x)),
      FIRST("tanh", tanhl(x)),
      BOTH("atan2", atan2l(x, y)),
      BOTH("atan2pi", atan2l(x, y) / M_PIl),
      BOTH("fmod", fmodl(x, y)),
      BOTH("hypot", hypotl(x, y)),
      BOTH("remainder", remainderl(x, y)),
      BOTH("pow", powl(x, y)),
      BOTH("pown", powl(x, y)),
      FIRST("tgamma", tgammal(x)),
  };
  return table;
}

double d(long double x) {
  return static_cast<double>(x);
}
double half_turn_sine_double(double x) {
  const double k = std::rint(x);
  const double s = std::sin(M_PI * (x - k));
  return std::fmod(k, 2) != 0 ? -s : s;
}

/// For half and float: double's functions.
const std::map<std::string, Fast>& narrow() {
  static const auto& table = *new std::map<std::string, Fast>{
      FIRST("acos", std::acos(d(x))),
      FIRST("acosh", std::acosh(d(x))),
      FIRST("acospi", std::acos(d(x)) / M_PI),
      FIRST("asin", std::asin(d(x))),
      FIRST("asinh", std::asinh(d(x))),
      FIRST("asinpi", std::asin(d(x)) / M_PI),
      FIRST("atan", std::atan(d(x))),
      FIRST("atanh", std::atanh(d(x))),
      FIRST("atanpi", std::atan(d(x)) / M_PI),
      FIRST("cbrt", std::cbrt(d(x))),
      FIRST("cos", std::cos(d(x))),
      FIRST("cosh", std::cosh(d(x))),
      FIRST("cospi", half_turn_sine_double(0.5 - (std::fabs(d(x)) - 2 * std::floor(std::fabs(d(x)) / 2)))),
      FIRST("erf", std::erf(d(x))),
      FIRST("erfc", std::erfc(d(x))),
      FIRST("exp", std::exp(d(x))),
      FIRST("exp2", std::exp2(d(x))),
      FIRST("exp10", exp10(d(x))),
      FIRST("expm1", std::expm1(d(x))),
      FIRST("log", std::log(d(x))),
      FIRST("log2", std::log2(d(x))),
      FIRST("log10", std::log10(d(x))),
      FIRST("log1p", std::log1p(d(x))),
      FIRST("rsqrt", 1 / std::sqrt(d(x))),
      FIRST("sin", std::sin(d(x))),
      FIRST("sinh", std::sinh(d(x))),
      FIRST("sinpi", half_turn_sine_double(d(x))),
      FIRST("sqrt", std::sqrt(d(x))),
      FIRST("tan", std::tan(d(x))),
      FIRST("tanh", std::tanh(d(x))),
      FIRST("tgamma", std::tgamma(d(x))),
      BOTH("atan2", std::atan2(d(x), d(y))),
      BOTH("atan2pi", std::atan2(d(x), d(y)) / M_PI),
      BOTH("fmod", fmodl(x, y)),
      BOTH("hypot", std::hypot(d(x), d(y))),
      BOTH("remainder", remainderl(x, y)),
      BOTH("pow", powl(x, y)),
      BOTH("pown", powl(x, y)),
  };
  return table;
}

/// pown, rootn: functions of a number and an integer.
bool with_integer(const std::string& name, mpfr_ptr out, mpfr_srcptr x, long double n) {
  const auto whole = static_cast<long>(n);
  if (name == "pown") {
    mpfr_pow_si(out, x, whole, MPFR_RNDN);
    return true;
  }
  if (name != "rootn") return false;
  mpfr_rootn_si(out, x, whole, MPFR_RNDN);
  return true;
}

/// The one of larger (or smaller) magnitude; the result of fmax (or fmin) where the magnitudes are equal.
long double by_magnitude(long double x, long double y, bool larger) {
  const long double a = std::fabs(x), b = std::fabs(y);
  if (a == b || std::isnan(x) || std::isnan(y)) return larger ? fmaxl(x, y) : fminl(x, y);
  return (a > b) == larger ? x : y;
}

/// One operation of long double, exact or rounded once: more bits than any of the types has, so that an error of half
/// an ULP stays half an ULP.
const std::map<std::string, Fast>& simple() {
  static const auto& table = *new std::map<std::string, Fast>{
      FIRST("ceil", ceill(x)),
      FIRST("fabs", fabsl(x)),
      FIRST("floor", floorl(x)),
      FIRST("logb", logbl(x)),
      FIRST("rint", rintl(x)),
      FIRST("round", roundl(x)),
      FIRST("trunc", truncl(x)),
      FIRST("reciprocal", 1 / x),
      BOTH("add", x + y),
      BOTH("subtract", x - y),
      BOTH("multiply", x * y),
      BOTH("divide", x / y),
      BOTH("copysign", copysignl(x, y)),
      BOTH("fdim", fdiml(x, y)),
      BOTH("fmax", fmaxl(x, y)),
      BOTH("fmin", fminl(x, y)),
      BOTH("ldexp", scalbnl(x, static_cast<int>(y))),
      BOTH("maxmag", by_magnitude(x, y, true)),
      BOTH("minmag", by_magnitude(x, y, false)),
  };
  return table;
}

}  // namespace

const char* type_name(Type type) {
  return type == Type::half ? "half" : type == Type::single ? "float" : "double";
}

bool zero_has_sign(const std::string& name) {
  return name != "fmax" && name != "fmin" && name != "maxmag" && name != "minmag";
}

std::string base_name(const std::string& name) {
  for (const char* prefix : {"native_", "half_"})
    if (name.starts_with(prefix)) {
      const std::string base = name.substr(std::string(prefix).size());
      return base == "recip" ? "reciprocal" : base;
    }
  return name;
}

Fast fast_reference(const std::string& name, Type type) {
  if (const auto one = simple().find(name); one != simple().end()) return one->second;
  const auto& table = type == Type::dual ? wide() : narrow();
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

long double exact_reference(const std::string& name, long double x, long double y) {
  if (name == "powr" && std::isnan(y)) return y;  // for MPFR powr(1, NaN) is 1
  if (const auto one = simple().find(name); one != simple().end()) return one->second(x, y);
  Number a(x), b(y), out;
  if (const auto one = unary().find(name); one != unary().end())
    one->second(*out, *a, MPFR_RNDN);
  else if (const auto two = binary().find(name); two != binary().end())
    two->second(*out, *a, *b, MPFR_RNDN);
  else if (!with_integer(name, *out, *a, y))
    return std::numeric_limits<long double>::quiet_NaN();
  return mpfr_get_ld(*out, MPFR_RNDN);
}

}  // namespace lanewise::ulp

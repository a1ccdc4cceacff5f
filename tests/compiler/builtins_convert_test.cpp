// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Conversions against a reference in long double, which holds every source value exactly: all values of 8- and
/// 16-bit types, edges and random values of the others, all rounding modes, saturation, scalars and vectors.
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <tuple>
#include <utility>

#include "tests/compiler/builtins_program.h"

namespace lanewise::test {
namespace {

using Wide = long double;

struct Mode {
  const char* suffix;
  int rounding;  ///< of <cfenv>
};
constexpr Mode kModes[] = {
    {"", -1}, {"_rte", FE_TONEAREST}, {"_rtz", FE_TOWARDZERO}, {"_rtp", FE_UPWARD}, {"_rtn", FE_DOWNWARD}};

template <class T>
constexpr const char* kName = "";
template <>
constexpr const char* kName<std::int8_t> = "char";
template <>
constexpr const char* kName<std::uint8_t> = "uchar";
template <>
constexpr const char* kName<std::int16_t> = "short";
template <>
constexpr const char* kName<std::uint16_t> = "ushort";
template <>
constexpr const char* kName<std::int32_t> = "int";
template <>
constexpr const char* kName<std::uint32_t> = "uint";
template <>
constexpr const char* kName<std::int64_t> = "long";
template <>
constexpr const char* kName<std::uint64_t> = "ulong";
template <>
constexpr const char* kName<float> = "float";
template <>
constexpr const char* kName<double> = "double";

template <class S>
std::vector<S> values() {
  std::vector<S> out;
  if constexpr (sizeof(S) <= 2) {
    for (int i = std::numeric_limits<S>::min(); i <= std::numeric_limits<S>::max(); ++i)
      out.push_back(static_cast<S>(i));
  } else if constexpr (std::is_integral_v<S>) {
    for (unsigned bit = 0; bit < sizeof(S) * 8; ++bit)
      for (int d = -3; d <= 3; ++d) {
        const auto power = std::uint64_t{1} << bit, delta = static_cast<std::uint64_t>(d);
        // Near powers of two; and ties, and neighbours of ties, of 24 and of 53 bits.
        for (const auto value : {power + delta, 0 - power + delta, power | power >> 24 | (power >> 25 << (d & 1)),
                                 power | power >> 53 | (power >> 54 << (d & 1))})
          out.push_back(static_cast<S>(value));
      }
  } else {
    for (int e = -140; e < 140; ++e)
      for (const S f : {S(1), S(1.5), S(1.25), S(1.75), std::nextafter(S(1), S(0)), std::nextafter(S(1), S(2)),
                        S(1) + S(0x1p-23), S(1) + S(0x1p-24), S(1) + S(0x1.8p-23)})
        for (const S sign : {S(1), S(-1)}) out.push_back(std::ldexp(f * sign, e));
    for (int i = -600; i < 600; ++i) out.push_back(static_cast<S>(i) / 2);
    using Limits = std::numeric_limits<S>;
    for (const S v : {S(0), -S(0), Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), Limits::max(),
                      -Limits::max(), Limits::denorm_min(), -Limits::denorm_min(), Limits::min()})
      out.push_back(v);
  }
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const auto bits = random() >> (random() % 64);
    S value;
    std::memcpy(&value, &bits, sizeof value);
    out.push_back(value);
  }
  while (out.size() % 16) out.push_back(S(1));
  return out;
}

/// Rounds to an integer in the given mode; the default of conversions to integers is toward zero.
Wide round_to_integer(Wide x, int rounding) {
  switch (rounding) {
    case FE_TONEAREST:
      return std::nearbyint(x);
    case FE_UPWARD:
      return std::ceil(x);
    case FE_DOWNWARD:
      return std::floor(x);
    default:
      return std::trunc(x);
  }
}

/// The value of convert_<D>; false if the specification leaves it open.
template <class S, class D>
bool expected(S source, bool sat, int rounding, D& out) {
  if constexpr (std::is_integral_v<S> && std::is_integral_v<D>) {
    if (sat)
      out = std::in_range<D>(source) ? static_cast<D>(source)
            : source < S{0}          ? std::numeric_limits<D>::min()
                                     : std::numeric_limits<D>::max();
    else
      out = static_cast<D>(source);
    return true;
  } else if constexpr (std::is_integral_v<D>) {
    const Wide rounded = round_to_integer(source, rounding);
    const Wide low = std::numeric_limits<D>::min(), high = std::numeric_limits<D>::max();
    if (std::isnan(rounded)) return out = 0, sat;
    out = rounded < low    ? std::numeric_limits<D>::min()
          : rounded > high ? std::numeric_limits<D>::max()
                           : static_cast<D>(rounded);
    return sat || (rounded >= low && rounded <= high);
  } else {
    const volatile Wide exact = static_cast<Wide>(source);
    std::fesetround(rounding < 0 ? FE_TONEAREST : rounding);
    const volatile D result = static_cast<D>(exact);
    std::fesetround(FE_TONEAREST);
    out = result;
    return true;
  }
}

std::string name_of(const char* target, int width, bool sat, const Mode& mode) {
  return std::string("convert_") + target + (width > 1 ? std::to_string(width) : "") + (sat ? "_sat" : "") +
         mode.suffix;
}

/// One function per mode: r[i] = convert(x[i]), by vectors of `width`.
template <class S, class D>
std::string source(int width) {
  std::string text;
  const std::string w = width > 1 ? std::to_string(width) : "";
  for (const bool sat : {false, true}) {
    if (sat && !std::is_integral_v<D>) continue;
    for (const auto& mode : kModes)
      text += std::string("void ") + kName<S> + "_to_" + name_of(kName<D>, width, sat, mode) + "(global const " +
              kName<S> + w + "* x, global " + kName<D> + w + "* r, int n) { for (int i = 0; i < n / " +
              std::to_string(width) + "; ++i) r[i] = " + name_of(kName<D>, width, sat, mode) + "(x[i]); }\n";
  }
  return text;
}

template <class S, class D>
void check(BuiltinProgram& program, int width) {
  const auto x = values<S>();
  std::vector<D> storage(x.size() + 32);
  std::vector<S> input(x.size() + 32);
  // Vector types are aligned to their size.
  void* to = storage.data();
  std::size_t room = storage.size() * sizeof(D);
  D* r = static_cast<D*>(std::align(16 * sizeof(D), x.size() * sizeof(D), to, room));
  void* from = input.data();
  room = input.size() * sizeof(S);
  S* in = static_cast<S*>(std::align(16 * sizeof(S), x.size() * sizeof(S), from, room));
  ASSERT_TRUE(r && in);
  std::copy(x.begin(), x.end(), in);
  for (const bool sat : {false, true}) {
    if (sat && !std::is_integral_v<D>) continue;
    for (const auto& mode : kModes) {
      const auto name = std::string(kName<S>) + "_to_" + name_of(kName<D>, width, sat, mode);
      auto* run = program.get<void(const S*, D*, int)>(name.c_str());
      ASSERT_TRUE(run);
      run(in, r, static_cast<int>(x.size()));
      int failures = 0;
      for (std::size_t i = 0; i < x.size() && failures < 3; ++i) {
        D want{};
        if (!expected(x[i], sat, mode.rounding, want)) continue;
        const bool same = std::memcmp(&want, &r[i], sizeof want) == 0 || (want != want && r[i] != r[i]);
        if (!same) ++failures;
        EXPECT_TRUE(same) << name << "(" << +x[i] << ") = " << +r[i] << " instead of " << +want;
      }
    }
  }
}

template <class D>
void check_target(unsigned level) {
  for (const int width : {1, 4, 16}) {
    const auto all = [&]<class... S>(std::tuple<S...>*) {
      BuiltinProgram program((source<S, D>(width) + ...), level);
      (check<S, D>(program, width), ...);
    };
    all(static_cast<std::tuple<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                               std::int64_t, std::uint64_t, float, double>*>(nullptr));
  }
}

class BuiltinConvert : public AtLevel {};

TEST_P(BuiltinConvert, ToChar) {
  check_target<std::int8_t>(GetParam());
}
TEST_P(BuiltinConvert, ToUchar) {
  check_target<std::uint8_t>(GetParam());
}
TEST_P(BuiltinConvert, ToShort) {
  check_target<std::int16_t>(GetParam());
}
TEST_P(BuiltinConvert, ToUshort) {
  check_target<std::uint16_t>(GetParam());
}
TEST_P(BuiltinConvert, ToInt) {
  check_target<std::int32_t>(GetParam());
}
TEST_P(BuiltinConvert, ToUint) {
  check_target<std::uint32_t>(GetParam());
}
TEST_P(BuiltinConvert, ToLong) {
  check_target<std::int64_t>(GetParam());
}
TEST_P(BuiltinConvert, ToUlong) {
  check_target<std::uint64_t>(GetParam());
}
TEST_P(BuiltinConvert, ToFloat) {
  check_target<float>(GetParam());
}
TEST_P(BuiltinConvert, ToDouble) {
  check_target<double>(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Levels, BuiltinConvert, ::testing::Values(2U, 3U));

}  // namespace
}  // namespace lanewise::test

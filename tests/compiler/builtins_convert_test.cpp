// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Conversions against a reference in long double, which holds every source value exactly: all values of 8- and
/// 16-bit types, edges and random values of the others, all rounding modes, saturation, scalars and vectors.
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <span>
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

/// Compares the results of `count` conversions with the reference. The first differences, a line each.
using Compare = std::string (*)(const void* x, const void* r, std::size_t count, bool sat, int rounding);

/// One source type and one target type. What does not depend on their types in C++ is written once, not once a pair.
struct Conversion {
  const char *from, *to;
  bool to_integer;
  std::span<const std::byte> values;  ///< of the source type
  std::size_t count;                  ///< of the values
  std::size_t target_bytes;           ///< of one result
  Compare compare;
};

std::string difference(Wide x, Wide got, Wide want) {
  return std::to_string(x) + " becomes " + std::to_string(got) + " instead of " + std::to_string(want) + "\n";
}

template <class S, class D>
std::string compare(const void* from, const void* to, std::size_t count, bool sat, int rounding) {
  const auto *x = static_cast<const S*>(from), *const end = x + count;
  std::string text;
  int failures = 0;
  for (const auto* r = static_cast<const D*>(to); x != end && failures < 3; ++x, ++r) {
    D want{};
    if (!expected(*x, sat, rounding, want)) continue;
    if (std::memcmp(&want, r, sizeof want) == 0 || (want != want && *r != *r)) continue;
    text += difference(static_cast<Wide>(*x), static_cast<Wide>(*r), static_cast<Wide>(want));
    ++failures;
  }
  return text;
}

template <class S, class D>
Conversion conversion() {
  static const std::vector<S> all = values<S>();
  return {kName<S>,   kName<D>,  std::is_integral_v<D>, std::as_bytes(std::span(all)),
          all.size(), sizeof(D), compare<S, D>};
}

/// One function per mode: r[i] = convert(x[i]), by vectors of `width`.
std::string source(const Conversion& type, int width) {
  std::string text;
  const std::string w = width > 1 ? std::to_string(width) : "";
  for (const bool sat : {false, true}) {
    if (sat && !type.to_integer) continue;
    for (const auto& mode : kModes)
      text += std::string("void ") + type.from + "_to_" + name_of(type.to, width, sat, mode) + "(global const " +
              type.from + w + "* x, global " + type.to + w + "* r, int n) { for (int i = 0; i < n / " +
              std::to_string(width) + "; ++i) r[i] = " + name_of(type.to, width, sat, mode) + "(x[i]); }\n";
  }
  return text;
}

/// Vector types are aligned to their size, which is at most this.
struct alignas(128) Line {
  std::byte bytes[128];
};

std::vector<Line> lines(std::size_t bytes) {
  return std::vector<Line>(bytes / sizeof(Line) + 1);
}

void check(BuiltinProgram& program, const Conversion& type, int width) {
  auto x = lines(type.values.size()), r = lines(type.count * type.target_bytes);
  std::memcpy(x.data(), type.values.data(), type.values.size());
  for (const bool sat : {false, true}) {
    if (sat && !type.to_integer) continue;
    for (const auto& mode : kModes) {
      const auto name = std::string(type.from) + "_to_" + name_of(type.to, width, sat, mode);
      auto* run = program.get<void(const void*, void*, int)>(name.c_str());
      ASSERT_TRUE(run);
      run(x.data(), r.data(), static_cast<int>(type.count));
      EXPECT_EQ(type.compare(x.data(), r.data(), type.count, sat, mode.rounding), "") << name;
    }
  }
}

template <class D>
void check_target(unsigned level) {
  const Conversion types[] = {conversion<std::int8_t, D>(),  conversion<std::uint8_t, D>(),
                              conversion<std::int16_t, D>(), conversion<std::uint16_t, D>(),
                              conversion<std::int32_t, D>(), conversion<std::uint32_t, D>(),
                              conversion<std::int64_t, D>(), conversion<std::uint64_t, D>(),
                              conversion<float, D>(),        conversion<double, D>()};
  for (const int width : {1, 4, 16}) {
    std::string text;
    for (const auto& type : types) text += source(type, width);
    BuiltinProgram program(text, level);
    for (const auto& type : types) check(program, type, width);
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

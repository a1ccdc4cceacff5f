// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of numbers for which processors' instructions differ: beyond the integers that a conversion can give, and
/// NaNs that signal.
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

template <class T>
constexpr const char* kName = nullptr;
template <>
constexpr const char* kName<float> = "float";
template <>
constexpr const char* kName<double> = "double";

/// Every power of two from 1 on with its neighbours, of both signs.
template <class T>
std::vector<T> whole_numbers() {
  std::vector<T> all;
  for (int exponent = 0; exponent < std::numeric_limits<T>::max_exponent; ++exponent)
    for (const T sign : {T(1), T(-1)}) {
      const T power = std::ldexp(sign, exponent);
      for (const T x :
           {power, std::trunc(std::nextafter(power, 2 * power)), std::trunc(std::nextafter(power, T(0))), power + sign})
        if (std::isfinite(x)) all.push_back(x);
    }
  all.push_back(std::numeric_limits<T>::max());
  return all;
}

/// cos(pi x) is 1 or -1, sin(pi x) is 0 with the sign of x.
template <class T>
void expect_half_turns() {
  std::vector<T> x = whole_numbers<T>(), sines(x.size()), cosines(x.size());
  run("kernel void k(global const T* x, global T* s, global T* c) {\n"
      "  size_t i = get_global_id(0); s[i] = sinpi(x[i]); c[i] = cospi(x[i]); }",
      "k", {x.size(), 32}, {buffer(x), buffer(sines), buffer(cosines)}, std::string("-cl-std=CL3.0 -DT=") + kName<T>);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(cosines[i], std::fmod(x[i], T(2)) == 0 ? 1 : -1) << x[i];
    EXPECT_TRUE(sines[i] == 0 && std::signbit(sines[i]) == std::signbit(x[i])) << x[i] << ' ' << sines[i];
  }
}

TEST(SpecialNumbers, HalfTurnsOfLargeNumbers) {
  expect_half_turns<float>();
  expect_half_turns<double>();
}

/// Without arithmetic, which would make quiet NaNs of them.
template <class T>
void expect_numbers(const std::string& names) {
  constexpr std::size_t kItems = 40;
  std::vector<T> x(kItems), y(kItems), least(kItems), most(kItems);
  const T signals = std::numeric_limits<T>::signaling_NaN();
  for (std::size_t i = 0; i < kItems; ++i) {
    const T number = T(i) - 20;
    std::memcpy(&x[i], i % 2 == 0 ? &signals : &number, sizeof(T));
    std::memcpy(&y[i], i % 2 == 0 ? &number : &signals, sizeof(T));
  }
  run("kernel void k(global const T* x, global const T* y, global T* least, global T* most) {\n"
      "  size_t i = get_global_id(0); least[i] = LEAST(x[i], y[i]); most[i] = MOST(x[i], y[i]); }",
      "k", {kItems, 8}, {buffer(x), buffer(y), buffer(least), buffer(most)},
      std::string("-cl-std=CL3.0 -DT=") + kName<T> + names);
  for (std::size_t i = 0; i < kItems; ++i) {
    EXPECT_EQ(least[i], T(i) - 20) << names << ' ' << i;
    EXPECT_EQ(most[i], T(i) - 20) << names << ' ' << i;
  }
}

TEST(SpecialNumbers, MinimaAndMaximaPassOverNansThatSignal) {
  for (const char* names : {" -DLEAST=fmin -DMOST=fmax", " -DLEAST=minmag -DMOST=maxmag"}) {
    expect_numbers<float>(names);
    expect_numbers<double>(names);
  }
}

}  // namespace
}  // namespace lanewise::test

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Conditions that ask the elements of a vector one by one, of which the compiler makes one comparison
/// (compiler/vectors/element_tests.h): for any and for all, with a scalar and with another vector, without some elements,
/// with something else beside them, and with NaN.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kItems = 96;
constexpr std::size_t kElements = 16;
constexpr unsigned kSteps = 20;

const char* const kSource = R"(
  #define EACH(link, T) T(0) link T(1) link T(2) link T(3) link T(4) link T(5) link T(6) link T(7) link \
                        T(8) link T(9) link T(a) link T(b) link T(c) link T(d) link T(e) link T(f)
  #define EQUAL(k) v.s##k == x
  #define BELOW(k) v.s##k < w.s##k
  #define NOT_ABOVE(k) !(w.s##k < v.s##k)
  #define FIVE TWO TWO TWO TWO TWO
  #define TWO v = v + w; w = w + v;
  kernel void ask(global const V* vs, global const V* ws, global const E* xs, global uint* out, uint other) {
    size_t g = get_global_id(0);
    V v = vs[g], w = ws[g];
    E x = xs[g];
    uint found = 0;
    if (EACH(||, EQUAL)) found |= 1;
    if (EACH(&&, BELOW)) found |= 2;
    if (EACH(&&, NOT_ABOVE)) found |= 4;
    if (g % 3 == other || EACH(||, BELOW)) found |= 8;
    if (EACH(&&, EQUAL) && g % 5 != other) found |= 16;
    if (v.s0 == x || v.s1 == x || v.s2 == x || v.s3 == x || v.s4 == x || v.s5 == x || v.s7 == x || v.sf == x || g == 7) found |= 32;
    // Two vectors in one condition.
    if (EACH(||, EQUAL) || w.s0 == x || w.s1 == x || w.s2 == x || w.s3 == x || w.s4 == x || w.s5 == x || w.s6 == x || w.s7 == x) found |= 64;
    FIVE FIVE FIVE FIVE  // so much that lanes would do nothing faster
    if (EACH(||, EQUAL)) found |= 128;
    out[g] = found;
  })";

/// In the order of the kernel.
template <class T>
std::uint32_t ask(const T* v, const T* w, T x, std::size_t g, std::uint32_t other) {
  const auto count = [&](auto&& holds, std::size_t of) {
    std::size_t n = 0;
    for (std::size_t k = 0; k < of; ++k) n += holds(k) ? 1 : 0;
    return n;
  };
  const auto equal = [&](std::size_t k) { return v[k] == x; };
  const auto below = [&](std::size_t k) { return v[k] < w[k]; };
  const auto not_above = [&](std::size_t k) { return !(w[k] < v[k]); };
  std::uint32_t found = 0;
  if (count(equal, kElements) > 0) found |= 1;
  if (count(below, kElements) == kElements) found |= 2;
  if (count(not_above, kElements) == kElements) found |= 4;
  if (g % 3 == other || count(below, kElements) > 0) found |= 8;
  if (count(equal, kElements) == kElements && g % 5 != other) found |= 16;
  if (count(equal, 6) > 0 || v[7] == x || v[15] == x || g == 7) found |= 32;
  if (count(equal, kElements) > 0 || count([&](std::size_t k) { return w[k] == x; }, 8) > 0) found |= 64;
  T last[kElements];
  for (std::size_t k = 0; k < kElements; ++k) {
    T a = v[k], b = w[k];
    for (unsigned n = 0; n < kSteps; ++n) {
      a = static_cast<T>(a + b);
      b = static_cast<T>(b + a);
    }
    last[k] = a;
  }
  if (count([&](std::size_t k) { return last[k] == x; }, kElements) > 0) found |= 128;
  return found;
}

template <class T>
void expect_same(const std::string& type) {
  std::vector<T> v(kItems * kElements), w(v.size()), x(kItems);
  for (std::size_t g = 0; g < kItems; ++g) {
    x[g] = static_cast<T>(g % 4);
    for (std::size_t k = 0; k < kElements; ++k) {
      const std::size_t i = g * kElements + k;
      v[i] = static_cast<T>(g % 8 == 1 ? g % 4 : 10 + (i * 7) % 5);
      w[i] = static_cast<T>(v[i] + (g % 7 == 3 ? 1 : 0));
    }
    if (g % 6 == 2) v[g * kElements + g % kElements] = x[g];
    if (g % 6 == 4) w[g * kElements + g % kElements] = static_cast<T>(g % 5);
    if (std::numeric_limits<T>::has_quiet_NaN && g % 11 == 5)
      v[g * kElements + g % kElements] = std::numeric_limits<T>::quiet_NaN();
  }
  const std::string source = "#define E " + type + "\n#define V " + type + "16\n" + kSource;
  for (const std::uint32_t other : {0U, 9U}) {
    std::vector<std::uint32_t> out(kItems), expected(kItems);
    for (std::size_t g = 0; g < kItems; ++g) expected[g] = ask(&v[g * kElements], &w[g * kElements], x[g], g, other);
    run(source, "ask", Range(kItems, 1), {buffer(v), buffer(w), buffer(x), buffer(out), value(other)});
    EXPECT_EQ(out, expected) << type << ' ' << other;
  }
}

TEST(ElementConditions, AskTheSameAsOneByOne) {
  expect_same<std::uint32_t>("uint");
  expect_same<std::int16_t>("short");
  expect_same<float>("float");
}

}  // namespace
}  // namespace lanewise::test

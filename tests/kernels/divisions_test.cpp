// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Integer quotients and remainders with a divisor for each work-item, where they are most likely to be wrong: beside
/// multiples of the divisor, and at the ends of the types. Vectors take them from floating point (lanes/emit/arithmetic.h).
#include <algorithm>
#include <limits>
#include <random>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

template <class T>
struct Pairs {
  std::vector<T> a, b;

  void add(std::uint64_t dividend, std::uint64_t divisor) {
    a.push_back(static_cast<T>(dividend));
    b.push_back(static_cast<T>(divisor));
  }
};

/// Every pair of two small numbers, or of 8 bits; for random divisors of every length the neighbours of random multiples.
template <class T>
Pairs<T> pairs() {
  Pairs<T> all;
  for (unsigned i = 0; i < 256; ++i)
    for (unsigned j = 0; j < 256; ++j)
      all.add(static_cast<std::uint64_t>(std::int64_t{i} - 128), static_cast<std::uint64_t>(std::int64_t{j} - 128));
  constexpr unsigned kBits = 8 * sizeof(T);
  std::mt19937_64 random(17);
  const auto number = [&] {
    const std::uint64_t cut = random() & ~std::uint64_t{0} >> (64 - kBits);
    return cut >> random() % kBits;
  };
  for (unsigned i = 0; i < 30000; ++i) {
    const std::uint64_t divisor = i % 3 == 0 ? std::numeric_limits<T>::max() - random() % 4 : number();
    const std::uint64_t most = divisor == 0 ? 0 : std::numeric_limits<T>::max() / divisor;
    const std::uint64_t multiple = divisor * (i % 5 == 0 ? most : random() % std::max(most, std::uint64_t{1}));
    for (const std::uint64_t dividend : {multiple - 1, multiple, multiple + 1}) {
      all.add(dividend, divisor);
      all.add(-dividend, divisor);
      all.add(dividend, -divisor);
    }
    all.add(std::uint64_t{1} << (kBits - 1), number());
  }
  return all;
}

template <class T>
bool overflows(T a, T b) {
  return std::numeric_limits<T>::min() != 0 && a == std::numeric_limits<T>::min() && b == static_cast<T>(-1);
}

/// By zero all bits are one, and the remainder is 0; the lowest number by -1 is itself (compiler/kernel/division.h).
template <class T>
T quotient_of(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  return overflows(a, b) ? a : static_cast<T>(a / b);
}

template <class T>
T rest_of(T a, T b) {
  return b == 0 || overflows(a, b) ? T{0} : static_cast<T>(a % b);
}

template <class T>
void check_division(const std::string& type) {
  Pairs<T> of = pairs<T>();
  const std::size_t n = of.a.size();
  std::vector<T> quotient(n), rest(n), sometimes(n, T{77});
  run("kernel void k(global const " + type + "* a, global const " + type + "* b, global " + type + "* q, global " +
          type + "* r, global " + type +
          "* s) { const size_t i = get_global_id(0); q[i] = a[i] / b[i]; r[i] = a[i] % b[i];" +
          " if (b[i] & 1) s[i] = b[i] / a[i]; }",
      "k", Range(n, 32), {buffer(of.a), buffer(of.b), buffer(quotient), buffer(rest), buffer(sometimes)});
  for (std::size_t i = 0; i < n; ++i) {
    const T a = of.a[i], b = of.b[i];
    ASSERT_EQ(quotient[i], quotient_of(a, b)) << type << " " << +a << " / " << +b;
    ASSERT_EQ(rest[i], rest_of(a, b)) << type << " " << +a << " % " << +b;
    ASSERT_EQ(sometimes[i], (b & 1) == 0 ? T{77} : quotient_of(b, a)) << type << " " << +b << " / " << +a;
  }
}

/// By a divisor that all work-items have in common, and by one that is a constant; alone, and with vectors of the source.
template <class T>
void check_uniform_division(const std::string& type) {
  const Pairs<T> of = pairs<T>();
  const std::size_t n = 64;
  std::vector<T> a(of.a.end() - n, of.a.end());
  a[0] = std::numeric_limits<T>::min();
  for (const T b : {T{0}, static_cast<T>(-1), T{1}, T{3}}) {
    const std::string number = "(" + type + ")(" + std::to_string(b) + ")";
    std::vector<T> one = {b}, results(6 * n);
    run("kernel void k(global const " + type + "* a, global const " + type + "* b, global " + type +
            "* q) { const size_t i = get_global_id(0), n = get_global_size(0); q[i] = a[i] / b[0]; q[n + i] = a[i] % "
            "b[0];"
            " q[2 * n + i] = a[i] / " +
            number + "; q[3 * n + i] = a[i] % " + number + "; const " + type + "4 v = (" + type +
            "4)(a[i]), w = v / (" + type + "4)(3, b[0], 1, b[0]);" + " q[4 * n + i] = w.y; q[5 * n + i] = (v / (" +
            type + "4)(" + number + ")).z; }",
        "k", Range(n, 32), {buffer(a), buffer(one), buffer(results)});
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t form = 0; form < 6; ++form)
        ASSERT_EQ(results[form * n + i], form == 1 || form == 3 ? rest_of(a[i], b) : quotient_of(a[i], b))
            << type << ", form " << form << ": " << +a[i] << " by " << +b;
  }
}

TEST(Divisions, ByOneDivisorForAll) {
  check_uniform_division<std::int8_t>("char");
  check_uniform_division<std::uint8_t>("uchar");
  check_uniform_division<std::int16_t>("short");
  check_uniform_division<std::uint16_t>("ushort");
  check_uniform_division<std::int32_t>("int");
  check_uniform_division<std::uint32_t>("uint");
  check_uniform_division<std::int64_t>("long");
  check_uniform_division<std::uint64_t>("ulong");
}

/// C's compiler takes a division of constants that has no result for one that is never reached.
TEST(Divisions, OfConstantsByZero) {
  std::vector<int> results(8);
  run("#define ZERO 0\n#define LOWEST (-2147483647 - 1)\n"
      "kernel void k(global int* r) { const int zero = 0;"
      " r[0] = 64 / ZERO; r[1] = 64 % ZERO; r[2] = LOWEST / -1; r[3] = LOWEST % -1; r[4] = 7 / zero;"
      " r[5] = 7u / (uint)ZERO == 0xFFFFFFFFu; r[6] = 1; for (int i = 0; i < 64 / ZERO; ++i) r[6] = 2;"
      " r[7] = 5; r[7] /= ZERO; }",
      "k", Range(1, 1), {buffer(results)});
  EXPECT_EQ(results, (std::vector<int>{-1, 0, std::numeric_limits<int>::min(), 0, -1, 1, 1, -1}));
}

TEST(Divisions, BesideMultiplesAndAtTheEndsOfTheTypes) {
  check_division<std::int8_t>("char");
  check_division<std::uint8_t>("uchar");
  check_division<std::int16_t>("short");
  check_division<std::uint16_t>("ushort");
  check_division<std::int32_t>("int");
  check_division<std::uint32_t>("uint");
  check_division<std::int64_t>("long");
  check_division<std::uint64_t>("ulong");
}

}  // namespace
}  // namespace lanewise::test

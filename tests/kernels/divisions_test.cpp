// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Integer quotients and remainders with a divisor for each work-item, where they are most likely to be wrong: beside
/// multiples of the divisor, and at the ends of the types. Vectors take them from floating point (spmd/emit/arithmetic.h).
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
void check_division(const std::string& type) {
  Pairs<T> of = pairs<T>();
  const std::size_t n = of.a.size();
  std::vector<T> quotient(n), rest(n), sometimes(n, T{77});
  run("kernel void k(global const " + type + "* a, global const " + type + "* b, global " + type + "* q, global " +
          type + "* r, global " + type +
          "* s) { const size_t i = get_global_id(0); q[i] = a[i] / b[i]; r[i] = a[i] % b[i];" +
          " if (b[i] & 1) s[i] = b[i] / a[i]; }",
      "k", Range(n, 32), {buffer(of.a), buffer(of.b), buffer(quotient), buffer(rest), buffer(sometimes)});
  // By zero, and the lowest number by -1, there is a result, and any will do.
  const auto defined = [](T a, T b) {
    return b != 0 &&
           (std::numeric_limits<T>::min() == 0 || a != std::numeric_limits<T>::min() || b != static_cast<T>(-1));
  };
  for (std::size_t i = 0; i < n; ++i) {
    const T a = of.a[i], b = of.b[i];
    if (defined(a, b)) {
      ASSERT_EQ(quotient[i], static_cast<T>(a / b)) << type << " " << +a << " / " << +b;
      ASSERT_EQ(rest[i], static_cast<T>(a % b)) << type << " " << +a << " % " << +b;
    }
    if ((b & 1) == 0) {
      ASSERT_EQ(sometimes[i], T{77});
    } else if (defined(b, a)) {
      ASSERT_EQ(sometimes[i], static_cast<T>(b / a)) << type << " " << +b << " / " << +a;
    }
  }
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

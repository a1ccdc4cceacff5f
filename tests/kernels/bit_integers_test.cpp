// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Integers of any number of bits (`_BitInt`, which Clang takes in OpenCL C), beside the host's of 128 bits.
#include <algorithm>
#include <cmath>
#include <random>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

/// A number type of OpenCL C, and its arithmetic.
struct BitInt {
  unsigned bits;
  bool is_signed;

  [[nodiscard]] std::string name() const {
    return (is_signed ? "_BitInt(" : "unsigned _BitInt(") + std::to_string(bits) + ")";
  }
  /// Bytes in memory.
  [[nodiscard]] std::size_t bytes() const {
    std::size_t size = 1;
    while (size * 8 < bits) size *= 2;
    return size;
  }
  /// The bits that the type has of a number, as a number of 128 bits.
  [[nodiscard]] UnsignedWide wrapped(UnsignedWide number) const {
    const unsigned above = 128 - bits;
    number <<= above;
    return is_signed ? static_cast<UnsignedWide>(static_cast<Wide>(number) >> above) : number >> above;
  }
  [[nodiscard]] bool less(UnsignedWide a, UnsignedWide b) const {
    return is_signed ? static_cast<Wide>(a) < static_cast<Wide>(b) : a < b;
  }
  [[nodiscard]] UnsignedWide quotient(UnsignedWide a, UnsignedWide b) const {
    if (b == 0) return 0;
    if (!is_signed) return a / b;
    return b == ~UnsignedWide{0} ? -a : static_cast<UnsignedWide>(static_cast<Wide>(a) / static_cast<Wide>(b));
  }
  [[nodiscard]] UnsignedWide shifted_right(UnsignedWide a, unsigned by) const {
    return is_signed ? static_cast<UnsignedWide>(static_cast<Wide>(a) >> by) : a >> by;
  }
  template <class Float>
  [[nodiscard]] Float as(UnsignedWide a) const {
    return is_signed ? static_cast<Float>(static_cast<Wide>(a)) : static_cast<Float>(a);
  }
  template <class Float>
  [[nodiscard]] UnsignedWide of(Float number) const {
    return wrapped(is_signed ? static_cast<UnsignedWide>(static_cast<Wide>(number))
                             : static_cast<UnsignedWide>(number));
  }
};

/// Numbers of all sizes, and those at the ends.
std::vector<UnsignedWide> numbers(const BitInt& type, std::size_t count, std::mt19937_64& random) {
  std::vector<UnsignedWide> made{0, 1, ~UnsignedWide{0}, UnsignedWide{1} << (type.bits - 1)};
  made.push_back(made.back() - 1);
  while (made.size() < count) {
    const UnsignedWide number = static_cast<UnsignedWide>(random()) << 64 | random();
    made.push_back(static_cast<Wide>(number) >> random() % 128);
  }
  for (UnsignedWide& number : made) number = type.wrapped(number);
  std::shuffle(made.begin(), made.end(), random);
  return made;
}

std::vector<std::uint8_t> in_memory(const std::vector<UnsignedWide>& all, std::size_t bytes) {
  std::vector<std::uint8_t> memory(all.size() * bytes);
  for (std::size_t i = 0; i < all.size(); ++i) std::memcpy(memory.data() + i * bytes, &all[i], bytes);
  return memory;
}

constexpr std::size_t kItems = 61;
constexpr std::size_t kResults = 15;

void check(const BitInt& type) {
  std::mt19937_64 random(type.bits);
  const auto a = numbers(type, kItems, random);
  const auto b = numbers(type, kItems, random);
  std::vector<std::int32_t> by(kItems);
  std::vector<float> singles(kItems);
  std::vector<double> doubles(kItems);
  std::vector<std::int64_t> longs(kItems);
  for (std::size_t i = 0; i < kItems; ++i) {
    by[i] = static_cast<std::int32_t>(random() % type.bits);
    longs[i] = static_cast<std::int64_t>(random());
    // Numbers that the type holds, with a fraction where there is room for it.
    singles[i] = type.as<float>(type.shifted_right(b[i], 2)) / 2;
    doubles[i] = type.as<double>(type.shifted_right(a[i], 2)) / 2;
  }
  std::vector<UnsignedWide> expected;
  for (std::size_t i = 0; i < kItems; ++i) {
    const UnsignedWide x = a[i], y = b[i], q = type.quotient(x, y);
    for (const UnsignedWide made :
         {x + y, x - y, x * y, q, y == 0 ? 0 : x - q * y, x << by[i], type.shifted_right(x, by[i]), x & y, x | y, x ^ y,
          UnsignedWide{type.less(x, y)}, UnsignedWide{x == y}, type.of(singles[i]), type.of(doubles[i]),
          static_cast<UnsignedWide>(Wide{longs[i]})})
      expected.push_back(type.wrapped(made));
  }
  const std::size_t bytes = type.bytes();
  auto left = in_memory(a, bytes), right = in_memory(b, bytes);
  std::vector<std::uint8_t> out(kItems * kResults * bytes);
  run("typedef " + type.name() +
          " T;\n"
          "kernel void k(global const T* a, global const T* b, global T* out, global const int* by, global float* f,"
          "  global double* d, global long* l) { const size_t i = get_global_id(0); const T x = a[i], y = b[i];"
          "  global T* r = out + 15 * i; r[0] = x + y, r[1] = x - y, r[2] = x * y, r[3] = y ? x / y : 0;"
          "  r[4] = y ? x % y : 0, r[5] = x << by[i], r[6] = x >> by[i], r[7] = x & y, r[8] = x | y, r[9] = x ^ y;"
          "  r[10] = x < y, r[11] = x == y, r[12] = (T)f[i], r[13] = (T)d[i], r[14] = (T)l[i];"
          "  f[i] = (float)x, d[i] = (double)x, l[i] = (long)x; }",
      "k", Range(kItems, 16),
      {buffer(left), buffer(right), buffer(out), buffer(by), buffer(singles), buffer(doubles), buffer(longs)});
  for (std::size_t k = 0; k < expected.size(); ++k) {
    UnsignedWide made = 0;
    std::memcpy(&made, out.data() + k * bytes, bytes);
    ASSERT_TRUE(type.wrapped(made) == expected[k]) << type.name() << ": " << k / kResults << ", " << k % kResults;
  }
  for (std::size_t i = 0; i < kItems; ++i) {
    ASSERT_EQ(singles[i], type.as<float>(a[i])) << type.name() << " " << i;
    ASSERT_EQ(doubles[i], type.as<double>(a[i])) << type.name() << " " << i;
    ASSERT_EQ(longs[i], static_cast<std::int64_t>(a[i])) << type.name() << " " << i;
  }
}

TEST(BitIntegers, OfOneRegister) {
  for (const unsigned bits : {2U, 7U, 17U, 33U, 48U, 63U})
    for (const bool is_signed : {false, true}) check({bits, is_signed});
}

TEST(BitIntegers, OfTwoRegisters) {
  for (const unsigned bits : {65U, 96U, 100U, 128U})
    for (const bool is_signed : {false, true}) check({bits, is_signed});
}

/// Wide numbers that are in no memory, so that they come to be in lanes.
TEST(BitIntegers, OfTwoRegistersBetweenLongs) {
  constexpr std::size_t kCount = 1003;
  std::mt19937_64 random(4);
  std::vector<std::int64_t> a(kCount), b(kCount), c(kCount), quotients(kCount);
  std::vector<double> doubles(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    a[i] = static_cast<std::int64_t>(random()) >> random() % 64;
    b[i] = static_cast<std::int64_t>(random()) >> random() % 64;
    c[i] = static_cast<std::int64_t>(random()) >> random() % 63 | 1;
  }
  run("kernel void k(global const long* a, global const long* b, global const long* c, global long* q, global double* "
      "d)"
      "{ const size_t i = get_global_id(0); _BitInt(128) x = (_BitInt(128))a[i] * b[i];"
      "  q[i] = (long)(x / c[i]) ^ (long)(x % c[i]); d[i] = (double)x; }",
      "k", Range(kCount, 64), {buffer(a), buffer(b), buffer(c), buffer(quotients), buffer(doubles)});
  for (std::size_t i = 0; i < kCount; ++i) {
    const Wide x = Wide{a[i]} * b[i];
    ASSERT_EQ(quotients[i], static_cast<std::int64_t>(x / c[i]) ^ static_cast<std::int64_t>(x % c[i])) << i;
    ASSERT_EQ(doubles[i], static_cast<double>(x)) << i;
  }
}

}  // namespace
}  // namespace lanewise::test

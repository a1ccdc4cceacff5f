// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_khr_extended_bit_ops and cl_khr_integer_dot_product in kernels, against plain arithmetic.
#include <algorithm>
#include <limits>
#include <random>

#include "tests/kernels/harness.h"

namespace lanewise::test {
namespace {

/// Every offset and count that fits into the type, on random values: one work-item for each.
template <class T>
void check_bit_fields(const std::string& type, const std::string& width) {
  using Unsigned = std::make_unsigned_t<T>;
  using Signed = std::make_signed_t<T>;
  constexpr unsigned kBits = 8 * sizeof(T);
  const std::size_t components = width.empty() ? 1 : std::stoul(width);
  std::mt19937_64 random(9);
  std::vector<std::uint32_t> offset, count;
  for (unsigned o = 0; o < kBits; ++o)
    for (unsigned c = 0; o + c <= kBits; ++c) offset.push_back(o), count.push_back(c);
  const std::size_t n = offset.size();
  std::vector<T> base(n * components), insert(n * components), r(4 * n * components);
  for (T& v : base) v = static_cast<T>(random());
  for (T& v : insert) v = static_cast<T>(random());
  const std::string v = type + width, s = type[0] == 'u' ? type.substr(1) : type, u = "u" + s;
  run("kernel void k(global const " + v + "* base, global const " + v + "* insert, global const uint* offset," +
          " global const uint* count, global " + v + "* r) { const size_t i = get_global_id(0);" +
          " r[4 * i] = bitfield_insert(base[i], insert[i], offset[i], count[i]);" + " r[4 * i + 1] = as_" + v +
          "(bitfield_extract_signed(base[i], offset[i], count[i]));" + " r[4 * i + 2] = as_" + v +
          "(bitfield_extract_unsigned(base[i], offset[i], count[i]));" + " r[4 * i + 3] = bit_reverse(base[i]); }",
      "k", Range(n, 64), {buffer(base), buffer(insert), buffer(offset), buffer(count), buffer(r)});
  for (std::size_t k = 0; k < n * components; ++k) {
    const std::size_t i = k / components, at = 4 * i * components + k % components;
    const unsigned o = offset[i], c = count[i];
    const Unsigned ones = c == 0 ? 0 : static_cast<Unsigned>(~std::uint64_t{0} >> (64 - c));
    const auto mask = static_cast<Unsigned>(static_cast<std::uint64_t>(ones) << o);
    const auto b = static_cast<Unsigned>(base[k]);
    const auto moved = static_cast<Unsigned>(static_cast<std::uint64_t>(static_cast<Unsigned>(insert[k])) << o);
    const auto field = static_cast<Unsigned>(b >> o & ones);
    const bool negative = c != 0 && (field >> (c - 1) & 1) != 0;
    Unsigned reversed = 0;
    for (unsigned bit = 0; bit < kBits; ++bit)
      if (b >> bit & 1) reversed = static_cast<Unsigned>(reversed | Unsigned{1} << (kBits - 1 - bit));
    ASSERT_EQ(r[at], static_cast<T>((b & ~mask) | (moved & mask))) << v << " insert " << o << ", " << c;
    ASSERT_EQ(static_cast<Signed>(r[at + components]), static_cast<Signed>(negative ? field | ~ones : field))
        << v << " extract signed " << o << ", " << c;
    ASSERT_EQ(static_cast<Unsigned>(r[at + 2 * components]), field) << v << " extract unsigned " << o << ", " << c;
    ASSERT_EQ(static_cast<Unsigned>(r[at + 3 * components]), reversed) << v << " reverse";
  }
}

TEST(BitFields, OfEveryOffsetCountAndType) {
  for (const std::string width : {"", "4"}) {
    check_bit_fields<std::int8_t>("char", width);
    check_bit_fields<std::uint8_t>("uchar", width);
    check_bit_fields<std::int16_t>("short", width);
    check_bit_fields<std::uint16_t>("ushort", width);
    check_bit_fields<std::int32_t>("int", width);
    check_bit_fields<std::uint32_t>("uint", width);
    check_bit_fields<std::int64_t>("long", width);
    check_bit_fields<std::uint64_t>("ulong", width);
  }
}

/// The four bytes of a word with the extremes of their types, every second one random.
std::vector<std::uint32_t> words(std::size_t n, unsigned seed) {
  constexpr std::uint8_t kBytes[] = {0, 1, 0x7f, 0x80, 0x81, 0xff};
  std::mt19937 random(seed);
  std::vector<std::uint32_t> out(n);
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = static_cast<std::uint32_t>(random());
    if (i % 2)
      for (unsigned k = 0; k < 4; ++k) out[i] = out[i] << 8 | kBytes[random() % 6];
  }
  return out;
}

std::int64_t dot(std::uint32_t a, std::uint32_t b, bool a_signed, bool b_signed) {
  std::int64_t sum = 0;
  for (unsigned k = 0; k < 32; k += 8) {
    const auto byte = [k](std::uint32_t v, bool is_signed) {
      const auto bits = static_cast<std::uint8_t>(v >> k);
      return is_signed ? std::int64_t{static_cast<std::int8_t>(bits)} : std::int64_t{bits};
    };
    sum += byte(a, a_signed) * byte(b, b_signed);
  }
  return sum;
}

TEST(DotProducts, OfAllSignsWithAndWithoutSaturation) {
  constexpr std::size_t kItems = 1003;
  auto a = words(kItems, 1), b = words(kItems, 2), c = words(kItems, 3);
  for (std::size_t i = 0; i < kItems; i += 3) c[i] = i % 2 ? 0x7ffffff0 : i % 4 ? 0xfffffff0 : 0x80000010;
  std::vector<std::uint32_t> r(16 * kItems);
  run(R"(
    kernel void k(global const uint* a, global const uint* b, global const uint* c, global uint* out) {
      const size_t i = get_global_id(0);
      global uint* r = out + 16 * i;
      r[0] = dot_4x8packed_uu_uint(a[i], b[i]); r[1] = dot_4x8packed_ss_int(a[i], b[i]);
      r[2] = dot_4x8packed_us_int(a[i], b[i]); r[3] = dot_4x8packed_su_int(a[i], b[i]);
      r[4] = dot_acc_sat_4x8packed_uu_uint(a[i], b[i], c[i]); r[5] = dot_acc_sat_4x8packed_ss_int(a[i], b[i], c[i]);
      r[6] = dot_acc_sat_4x8packed_us_int(a[i], b[i], c[i]); r[7] = dot_acc_sat_4x8packed_su_int(a[i], b[i], c[i]);
      const uchar4 au = as_uchar4(a[i]), bu = as_uchar4(b[i]);
      const char4 as = as_char4(a[i]), bs = as_char4(b[i]);
      r[8] = dot(au, bu); r[9] = dot(as, bs); r[10] = dot(au, bs); r[11] = dot(as, bu);
      r[12] = dot_acc_sat(au, bu, c[i]); r[13] = dot_acc_sat(as, bs, (int)c[i]);
      r[14] = dot_acc_sat(au, bs, (int)c[i]); r[15] = dot_acc_sat(as, bu, (int)c[i]);
    })",
      "k", Range(kItems, 64), {buffer(a), buffer(b), buffer(c), buffer(r)});
  for (std::size_t i = 0; i < kItems; ++i)
    for (unsigned form = 0; form < 16; ++form) {
      const bool a_signed = (form & 1) != 0, b_signed = (form & 3) == 1 || (form & 3) == 2;
      std::int64_t want = dot(a[i], b[i], a_signed, b_signed);
      if (form & 4) {
        using Int = std::numeric_limits<std::int32_t>;
        const bool any_signed = a_signed || b_signed;
        want += any_signed ? std::int64_t{static_cast<std::int32_t>(c[i])} : std::int64_t{c[i]};
        want = any_signed ? std::clamp<std::int64_t>(want, Int::min(), Int::max())
                          : std::clamp<std::int64_t>(want, 0, 0xffffffff);
      }
      ASSERT_EQ(r[16 * i + form], static_cast<std::uint32_t>(want)) << "form " << form << ", item " << i;
    }
}

}  // namespace
}  // namespace lanewise::test

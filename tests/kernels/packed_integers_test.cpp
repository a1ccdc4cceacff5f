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

/// The four cl_arm_integer_dot_product.
TEST(DotProducts, OfArmWithAndWithoutSaturation) {
  constexpr std::size_t kItems = 1003, kForms = 8;
  auto a = words(kItems, 6), b = words(kItems, 7), c = words(kItems, 8);
  for (std::size_t i = 0; i < kItems; i += 3) c[i] = i % 2 ? 0x7ffffff0 : i % 4 ? 0xfffffff0 : 0x80000010;
  std::vector<std::uint32_t> r(kForms * kItems);
  run(R"(
    kernel void k(global const uint* a, global const uint* b, global const uint* c, global uint* out) {
      const size_t i = get_global_id(0);
      global uint* r = out + 8 * i;
      const uchar4 au = as_uchar4(a[i]), bu = as_uchar4(b[i]);
      const char4 as = as_char4(a[i]), bs = as_char4(b[i]);
      r[0] = arm_dot(au, bu); r[1] = arm_dot(as, bs);
      r[2] = arm_dot_acc(au, bu, c[i]); r[3] = arm_dot_acc(as, bs, (int)c[i]);
      r[4] = arm_dot_acc(as_ushort2(a[i]), as_ushort2(b[i]), c[i]);
      r[5] = arm_dot_acc(as_short2(a[i]), as_short2(b[i]), (int)c[i]);
      r[6] = arm_dot_acc_sat(au, bu, c[i]); r[7] = arm_dot_acc_sat(as, bs, (int)c[i]);
    })",
      "k", Range(kItems, 64), {buffer(a), buffer(b), buffer(c), buffer(r)});
  for (std::size_t i = 0; i < kItems; ++i) {
    const auto half = [](std::uint32_t v, unsigned k) { return static_cast<std::uint16_t>(v >> (16 * k)); };
    std::uint32_t unsigned_halves = c[i], signed_halves = c[i];
    for (const unsigned k : {0U, 1U}) {
      unsigned_halves += std::uint32_t{half(a[i], k)} * half(b[i], k);
      signed_halves += static_cast<std::uint32_t>(static_cast<std::int16_t>(half(a[i], k)) *
                                                  static_cast<std::int16_t>(half(b[i], k)));
    }
    const std::int64_t u = dot(a[i], b[i], false, false), s = dot(a[i], b[i], true, true);
    const std::int64_t su = std::min<std::int64_t>(u + c[i], 0xffffffff);
    const std::int64_t ss =
        std::clamp<std::int64_t>(s + static_cast<std::int32_t>(c[i]), std::numeric_limits<std::int32_t>::min(),
                                 std::numeric_limits<std::int32_t>::max());
    const std::int64_t want[kForms] = {u, s, u + c[i], s + c[i], unsigned_halves, signed_halves, su, ss};
    for (std::size_t form = 0; form < kForms; ++form)
      ASSERT_EQ(r[kForms * i + form], static_cast<std::uint32_t>(want[form])) << "form " << form << ", item " << i;
  }
}

/// The functions, by their number in `is_signed` and in the kernels below.
constexpr const char* kNames[] = {"uu_uint", "ss_int", "us_int", "su_int"};
constexpr bool kSigned[][2] = {{false, false}, {true, true}, {false, true}, {true, false}};

/// Words of four equal bytes from the edges, each with each.
void push_edges(std::vector<std::uint32_t>& a, std::vector<std::uint32_t>& b) {
  for (const std::uint32_t x : {0x00U, 0x01U, 0x7fU, 0x80U, 0x81U, 0xffU})
    for (const std::uint32_t y : {0x00U, 0x01U, 0x7fU, 0x80U, 0x81U, 0xffU})
      a.push_back(x * 0x01010101), b.push_back(y * 0x01010101);
}

TEST(DotProducts, AccumulatedToTheLimits) {
  for (unsigned form = 0; form < 4; ++form) {
    const bool any_signed = form != 0;
    using Int = std::numeric_limits<std::int32_t>;
    const std::int64_t low = any_signed ? Int::min() : 0;
    const std::int64_t high = any_signed ? Int::max() : std::int64_t{0xffffffff};
    std::vector<std::uint32_t> words_a = words(200, 4), words_b = words(200, 5), a, b, c;
    push_edges(words_a, words_b);
    std::vector<std::int64_t> want;
    for (std::size_t i = 0; i < words_a.size(); ++i) {
      const std::int64_t product = dot(words_a[i], words_b[i], kSigned[form][0], kSigned[form][1]);
      for (const std::int64_t limit : {low, high})
        for (const std::int64_t beyond : {-1, 0, 1}) {
          const std::int64_t sum = limit + beyond - product;
          if (sum < low || sum > high) continue;
          a.push_back(words_a[i]), b.push_back(words_b[i]), c.push_back(static_cast<std::uint32_t>(sum));
          want.push_back(std::clamp(limit + beyond, low, high));
        }
    }
    ASSERT_GT(want.size(), 300u);
    std::vector<std::uint32_t> r(want.size());
    run(std::string("kernel void k(global const uint* a, global const uint* b, global const uint* c, global uint* r) {"
                    " const size_t i = get_global_id(0); r[i] = dot_acc_sat_4x8packed_") +
            kNames[form] + "(a[i], b[i], c[i]); }",
        "k", Range(want.size(), 64), {buffer(a), buffer(b), buffer(c), buffer(r)});
    for (std::size_t i = 0; i < want.size(); ++i)
      ASSERT_EQ(r[i], static_cast<std::uint32_t>(want[i]))
          << kNames[form] << " of " << a[i] << ", " << b[i] << ", " << c[i];
  }
}

/// Sums over a loop, with one operand or both the same for all work-items; wrapping and saturating as they go.
TEST(DotProducts, AccumulatedInLoops) {
  constexpr std::size_t kItems = 96, kDepth = 21;
  auto a = words(kItems * kDepth, 6), b = words(kDepth, 7);
  std::vector<std::uint32_t> edges_a, edges_b;
  push_edges(edges_a, edges_b);
  std::copy(edges_a.begin(), edges_a.end(), a.begin());
  std::copy(edges_b.begin(), edges_b.begin() + 12, b.begin());
  for (unsigned form = 0; form < 4; ++form) {
    const std::string dot_name = std::string("dot_4x8packed_") + kNames[form];
    const std::string sat_name = std::string("dot_acc_sat_4x8packed_") + kNames[form];
    const std::string type = form == 0 ? "uint" : "int";
    std::vector<std::uint32_t> r(4 * kItems);
    run("kernel void k(global const uint* a, global const uint* b, global uint* r, int n) {"
        "  const int i = get_global_id(0), size = get_global_size(0); " +
            type + " left = 0x7ffffff0, right = 0, same = 0, sat = 0x7fff8000;" +
            "  for (int k = 0; k < n; ++k) { const uint x = a[k * size + i]; left += " + dot_name + "(x, b[k]);" +
            "    right += " + dot_name + "(b[k], x); same += " + dot_name + "(b[k], b[n - 1 - k]);" +
            "    sat = " + sat_name + "(x, b[k], sat); }" +
            "  r[4 * i] = left; r[4 * i + 1] = right; r[4 * i + 2] = same; r[4 * i + 3] = sat; }",
        "k", Range(kItems, 24), {buffer(a), buffer(b), buffer(r), value(static_cast<std::int32_t>(kDepth))});
    const auto of = [&](std::uint32_t x, std::uint32_t y) { return dot(x, y, kSigned[form][0], kSigned[form][1]); };
    for (std::size_t i = 0; i < kItems; ++i) {
      std::int64_t left = 0x7ffffff0, right = 0, same = 0, sat = 0x7fff8000;
      for (std::size_t k = 0; k < kDepth; ++k) {
        const std::uint32_t x = a[k * kItems + i];
        left += of(x, b[k]), right += of(b[k], x), same += of(b[k], b[kDepth - 1 - k]);
        const std::int64_t low = form == 0 ? 0 : std::numeric_limits<std::int32_t>::min();
        const std::int64_t high = form == 0 ? std::int64_t{0xffffffff} : std::numeric_limits<std::int32_t>::max();
        sat = std::clamp(sat + of(x, b[k]), low, high);
      }
      const std::int64_t want[] = {left, right, same, sat};
      for (unsigned k = 0; k < 4; ++k)
        ASSERT_EQ(r[4 * i + k], static_cast<std::uint32_t>(want[k])) << kNames[form] << " sum " << k << " item " << i;
    }
  }
}

/// Vectors reinterpreted as scalars or as vectors of other elements, and back, where a work-item is a lane.
TEST(Reinterpreted, VectorsOfOtherElements) {
  constexpr std::size_t kItems = 77;
  auto a = words(2 * kItems, 8);
  std::vector<std::uint32_t> r(8 * kItems);
  run(R"(
    kernel void k(global const uint* a, global uint* out) {
      const size_t i = get_global_id(0);
      const uint x = a[2 * i], y = a[2 * i + 1];
      global uint* r = out + 8 * i;
      r[0] = as_uint((uchar4)((uchar)y, (uchar)(x >> 8), (uchar)(y >> 16), (uchar)x));
      r[1] = as_uint(as_ushort2(x).yx);
      r[2] = as_uint(as_uchar4(x).wzyx + as_uchar4(y));
      const ushort4 halves = as_ushort4(as_uchar8((ulong)x << 32 | y).s76543210);
      r[3] = halves.x | (uint)halves.w << 16;
      const uint2 swapped = as_uint2(as_ulong((float2)(as_float(x & 0x7f7fffffu), 1.5f)));
      r[4] = swapped.x; r[5] = swapped.y;
      r[6] = as_uint2(as_ushort4((uint2)(x, y)).s2301).x;
      r[7] = dot((uchar4)(as_uchar4(x).xyz, (uchar)y), as_uchar4(y));
    })",
      "k", Range(kItems, 16), {buffer(a), buffer(r)});
  const auto byte = [](std::uint32_t v, unsigned k) { return v >> 8 * k & 0xffU; };
  for (std::size_t i = 0; i < kItems; ++i) {
    const std::uint32_t x = a[2 * i], y = a[2 * i + 1], *got = &r[8 * i];
    EXPECT_EQ(got[0], byte(y, 0) | byte(x, 1) << 8 | byte(y, 2) << 16 | byte(x, 0) << 24) << i;
    EXPECT_EQ(got[1], x << 16 | x >> 16) << i;
    std::uint32_t sum = 0;
    for (unsigned k = 0; k < 4; ++k) sum |= ((byte(x, 3 - k) + byte(y, k)) & 0xffU) << 8 * k;
    EXPECT_EQ(got[2], sum) << i;
    EXPECT_EQ(got[3], byte(x, 3) | byte(x, 2) << 8 | byte(y, 1) << 16 | byte(y, 0) << 24) << i;
    EXPECT_EQ(got[4], x & 0x7f7fffffU) << i;
    EXPECT_EQ(got[5], 0x3fc00000U) << i;
    EXPECT_EQ(got[6], y) << i;
    EXPECT_EQ(got[7], dot((x & 0xffffffU) | y << 24, y, false, false)) << i;
  }
}

}  // namespace
}  // namespace lanewise::test

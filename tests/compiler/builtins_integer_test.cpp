// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Integer functions against 128-bit arithmetic (all pairs of 8-bit values, edges of the others), relational and
/// geometric functions on their special cases.
#include <bit>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <random>

#include "tests/compiler/builtins_program.h"

namespace lanewise::test {
namespace {

using Wide = __int128;

struct Type {
  const char* name;
  int bits;
  bool is_signed;
  [[nodiscard]] Wide low() const { return is_signed ? -(Wide{1} << (bits - 1)) : 0; }
  [[nodiscard]] Wide high() const { return (Wide{1} << (bits - is_signed)) - 1; }
  /// The value of the low bits of v in this type.
  [[nodiscard]] Wide wrap(Wide v) const {
    const auto mask = (static_cast<unsigned __int128>(1) << bits) - 1;
    const auto low_bits = static_cast<Wide>(static_cast<unsigned __int128>(v) & mask);
    return is_signed && low_bits > high() ? low_bits - (Wide{1} << bits) : low_bits;
  }
  [[nodiscard]] Wide saturate(Wide v) const { return v < low() ? low() : v > high() ? high() : v; }
};
constexpr Type kTypes[] = {{"char", 8, true}, {"uchar", 8, false}, {"short", 16, true}, {"ushort", 16, false},
                           {"int", 32, true}, {"uint", 32, false}, {"long", 64, true},  {"ulong", 64, false}};

Wide floor_half(Wide v) {
  return v >> 1;
}
Wide leading_zeros(const Type& t, Wide v) {
  const auto u = static_cast<std::uint64_t>(v) << (64 - t.bits);
  return u ? std::countl_zero(u) : t.bits;
}

/// The upper half of the double-width product.
Wide high_part(const Type& t, Wide x, Wide y) {
  if (t.is_signed) return x * y >> t.bits;
  return static_cast<Wide>(static_cast<unsigned __int128>(x) * static_cast<unsigned __int128>(y) >> t.bits);
}

struct Function {
  const char* call;  ///< in terms of x, y, z
  std::function<Wide(const Type&, Wide, Wide, Wide)> reference;
};

const std::vector<Function>& functions() {
  static const std::vector<Function> table = {
      {"add_sat(x, y)", [](auto& t, Wide x, Wide y, Wide) { return t.saturate(x + y); }},
      {"sub_sat(x, y)", [](auto& t, Wide x, Wide y, Wide) { return t.saturate(x - y); }},
      {"hadd(x, y)", [](auto&, Wide x, Wide y, Wide) { return floor_half(x + y); }},
      {"rhadd(x, y)", [](auto&, Wide x, Wide y, Wide) { return floor_half(x + y + 1); }},
      {"max(x, y)", [](auto&, Wide x, Wide y, Wide) { return std::max(x, y); }},
      {"min(x, y)", [](auto&, Wide x, Wide y, Wide) { return std::min(x, y); }},
      {"clamp(x, min(y, z), max(y, z))",
       [](auto&, Wide x, Wide y, Wide z) { return std::clamp(x, std::min(y, z), std::max(y, z)); }},
      {"as_T(abs(x))", [](auto& t, Wide x, Wide, Wide) { return t.wrap(x < 0 ? -x : x); }},
      {"as_T(abs_diff(x, y))", [](auto& t, Wide x, Wide y, Wide) { return t.wrap(x < y ? y - x : x - y); }},
      {"clz(x)", [](auto& t, Wide x, Wide, Wide) { return leading_zeros(t, x); }},
      {"ctz(x)",
       [](auto& t, Wide x, Wide, Wide) { return Wide{x ? std::countr_zero(static_cast<std::uint64_t>(x)) : t.bits}; }},
      {"popcount(x)",
       [](auto& t, Wide x, Wide, Wide) { return Wide{std::popcount(static_cast<std::uint64_t>(x) << (64 - t.bits))}; }},
      {"rotate(x, y)",
       [](auto& t, Wide x, Wide y, Wide) {
         const auto mask = (static_cast<unsigned __int128>(1) << t.bits) - 1;
         const auto u = static_cast<unsigned __int128>(x) & mask;
         const auto n = static_cast<int>(static_cast<unsigned>(y) & static_cast<unsigned>(t.bits - 1));
         return t.wrap(static_cast<Wide>(n ? u << n | u >> (t.bits - n) : u));
       }},
      {"mul_hi(x, y)", [](auto& t, Wide x, Wide y, Wide) { return t.wrap(high_part(t, x, y)); }},
      {"mad_hi(x, y, z)", [](auto& t, Wide x, Wide y, Wide z) { return t.wrap(high_part(t, x, y) + z); }},
      {"mad_sat(x, y, z)",
       [](auto& t, Wide x, Wide y, Wide z) {
         if (t.is_signed || t.bits < 64) return t.saturate(x * y + z);
         const auto wide =
             static_cast<unsigned __int128>(x) * static_cast<unsigned __int128>(y) + static_cast<unsigned __int128>(z);
         return wide >> 64 ? t.high() : static_cast<Wide>(wide);
       }},
  };
  return table;
}

std::vector<Wide> samples(const Type& t) {
  std::vector<Wide> out;
  if (t.bits == 8) {
    for (Wide v = t.low(); v <= t.high(); ++v) out.push_back(v);
    return out;
  }
  for (int bit = 0; bit < t.bits; bit += t.bits / 8)
    for (int d = -1; d <= 1; ++d) out.push_back(t.wrap((Wide{1} << bit) + d));
  for (const Wide v : {t.low(), t.low() + 1, t.high(), t.high() - 1, t.high() / 2, t.low() / 2, t.high() / 3})
    out.push_back(v);
  std::mt19937_64 random(5);
  for (int i = 0; i < 60; ++i) out.push_back(t.wrap(static_cast<Wide>(random())));
  return out;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

template <class T>
void check(const Type& t, unsigned level) {
  std::string source;
  for (const char* w : {"", "4"})
    for (std::size_t i = 0; i < functions().size(); ++i)
      source += replaced(replaced("void fN_W(global const TW* a, global const TW* b, global const TW* c, global TW* r, "
                                  "int n) { for (int i = 0; i < n; ++i) { TW x = a[i], y = b[i], z = c[i]; r[i] = " +
                                      replaced(functions()[i].call, "as_T", "as_TW") + "; } }\n",
                                  "TW", std::string(t.name) + w),
                         "N_W", std::to_string(i) + "_" + w);
  BuiltinProgram program(source, level);
  std::vector<Wide> values = samples(t), xs, ys, zs;
  for (const auto x : values)
    for (const auto y : values) {
      xs.push_back(x);
      ys.push_back(y);
      zs.push_back(values[(xs.size() * 7919) % values.size()]);
    }
  while (xs.size() % 4) xs.push_back(0), ys.push_back(0), zs.push_back(0);
  const auto plain = [](const std::vector<Wide>& v) {
    std::vector<T> out(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) out[i] = static_cast<T>(v[i]);
    return out;
  };
  // operator new aligns to 16 bytes only.
  const auto a = plain(xs), b = plain(ys), c = plain(zs);
  const auto aligned = [&](const std::vector<T>& from) {
    auto* p = static_cast<T*>(std::aligned_alloc(64, (from.size() * sizeof(T) + 63) / 64 * 64));
    std::copy(from.begin(), from.end(), p);
    return std::unique_ptr<T, decltype(&std::free)>(p, &std::free);
  };
  const auto pa = aligned(a), pb = aligned(b), pc = aligned(c), pr = aligned(a);
  for (const char* w : {"", "4"})
    for (std::size_t f = 0; f < functions().size(); ++f) {
      const auto name = "f" + std::to_string(f) + "_" + w;
      auto* run = program.get<void(const T*, const T*, const T*, T*, int)>(name.c_str());
      ASSERT_TRUE(run);
      run(pa.get(), pb.get(), pc.get(), pr.get(), static_cast<int>(*w ? a.size() / 4 : a.size()));
      for (std::size_t i = 0; i < a.size(); ++i) {
        const auto want = static_cast<T>(functions()[f].reference(t, xs[i], ys[i], zs[i]));
        ASSERT_EQ(pr.get()[i], want) << t.name << w << " " << functions()[f].call << " of " << +a[i] << ", " << +b[i]
                                     << ", " << +c[i];
      }
    }
}

class BuiltinInteger : public AtLevel {};

TEST_P(BuiltinInteger, MatchesWideArithmetic) {
  check<std::int8_t>(kTypes[0], GetParam());
  check<std::uint8_t>(kTypes[1], GetParam());
  check<std::int16_t>(kTypes[2], GetParam());
  check<std::uint16_t>(kTypes[3], GetParam());
  check<std::int32_t>(kTypes[4], GetParam());
  check<std::uint32_t>(kTypes[5], GetParam());
  check<std::int64_t>(kTypes[6], GetParam());
  check<std::uint64_t>(kTypes[7], GetParam());
}

TEST_P(BuiltinInteger, UpsampleAndMul24) {
  BuiltinProgram program(R"(
    void run(global int* r) {
      r[0] = upsample((char)-1, (uchar)0x80); r[1] = (int)upsample((ushort)0xfffe, (ushort)1);
      r[2] = (int)(upsample((int)-2, 5u) >> 31); r[3] = mul24(-3, 0x7fffff); r[4] = (int)mul24(0xffffffu, 0xffffffu);
      r[5] = mad24(-5, 7, 100); r[6] = upsample((char4)(1, -1, 2, -2), (uchar4)(3)).w;
    })",
                         GetParam());
  int r[7];
  program.get<void(int*)>("run")(r);
  const int want[7] = {-128, -131071, -4, -25165821, static_cast<int>(0xfffffeUL * 0xffffffUL + 0xffffffUL), 65, -509};
  for (int i = 0; i < 7; ++i) EXPECT_EQ(r[i], want[i]) << i;
}

TEST_P(BuiltinInteger, RelationalScalarsGiveOneAndVectorsMinusOne) {
  BuiltinProgram program(R"(
    void run(global const float* x, global int* r) {
      float n = x[0], i = x[1], d = x[2], z = x[3];  // NaN, infinity, a subnormal, -0
      r[0] = isnan(n) + 2 * isnan(i); r[1] = isinf(-i) + 2 * isinf(n); r[2] = isfinite(d) + 2 * isfinite(i);
      r[3] = isnormal(d) + 2 * isnormal(1.0f) + 4 * isnormal(z) + 8 * isnormal(i);
      r[4] = signbit(z) + 2 * signbit(i); r[5] = isequal(n, n) + 2 * isequal(z, 0.0f); r[6] = isnotequal(n, n);
      r[7] = islessgreater(n, 1.0f) + 2 * islessgreater(0.0f, 1.0f); r[8] = isunordered(n, 1.0f) + 2 * isordered(n, n);
      r[9] = isnan((float4)(n, 1, n, 1)).x; r[10] = isgreater((double)i, 1.0);
      r[11] = (int)isgreater((double2)(i, 0), (double2)(1)).x; r[12] = any((int2)(0, 1)) + 2 * any((int2)(0, -1));
      r[13] = all((char3)(-1, -128, 1)) + 2 * all((long2)(-1, -5)); r[14] = select(1, 2, 4);
      r[15] = select((int2)(1), (int2)(2), (int2)(4, 0x80000000)).x; r[16] = select((int2)(1), (int2)(2), (uint2)(4, 0x80000000)).y;
      r[17] = bitselect(0x0f0f0f0f, 0x33333333, 0x00ff00ff); r[18] = signbit((double2)(-1.0, 1.0)).x;
      r[19] = as_int(bitselect(1.0f, -1.0f, as_float(0x80000000)));
    })",
                         GetParam());
  const float x[4] = {std::nanf(""), HUGE_VALF, 1e-40F, -0.0F};
  int r[20];
  program.get<void(const float*, int*)>("run")(x, r);
  const int want[20] = {1, 1,  1, 2, 1, 2, 1, 2,          1,  -1,
                        1, -1, 2, 2, 2, 1, 2, 0x0f330f33, -1, static_cast<int>(0xbf800000U)};
  for (int i = 0; i < 20; ++i) EXPECT_EQ(r[i], want[i]) << i;
}

TEST_P(BuiltinInteger, GeometryNeitherOverflowsNorVanishes) {
  BuiltinProgram program(R"(
    void run(global const double* s, global double* r) {
      float big = (float)s[0], tiny = (float)s[1];
      r[0] = length((float3)(3 * big, 0, 4 * big)) / big; r[1] = length((float2)(3 * tiny, 4 * tiny)) / tiny;
      r[2] = length((double4)(s[2], s[2], s[2], s[2])) / s[2]; r[3] = length((double2)(3 * s[3], 4 * s[3])) / s[3];
      r[4] = normalize((float3)(0, -5, 0)).y; r[5] = normalize((float4)(0)).x;
      r[6] = normalize((float2)(INFINITY, -INFINITY)).y; r[7] = normalize((double3)(2, 1, -2)).z;
      r[8] = cross((float4)(1, 0, 0, 7), (float4)(0, 1, 0, 7)).z; r[9] = cross((double3)(0, 1, 0), (double3)(1, 0, 0)).z;
      r[10] = dot((float4)(1, 2, 3, 4), (float4)(5, 6, 7, 8)); r[11] = distance((double2)(1, 1), (double2)(4, 5));
      r[12] = smoothstep(0.0f, 4.0f, 1.0f); r[13] = mix(2.0, 4.0, 0.25); r[14] = step((float2)(1), (float2)(0, 1)).y;
      r[15] = sign(-3.0) + sign(0.0f); r[16] = clamp((float)s[0], -1.0f, 2.0f); r[17] = degrees(1.0);
      r[18] = normalize((double2)(s[2], s[2])).x; r[19] = fast_length((float2)(6, 8));
    })",
                         GetParam());
  const double s[4] = {1e38, 1e-40, 1e308, 1e-310};
  double r[20];
  program.get<void(const double*, double*)>("run")(s, r);
  const double want[20] = {HUGE_VAL, 5,       0,   5, -1, 0, -std::sqrt(0.5),       -2 / 3.0,       1, -1, 70,
                           5,        0.15625, 2.5, 1, -1, 2, 57.295779513082320877, std::sqrt(0.5), 10};
  for (int i = 1; i < 20; ++i)
    if (i != 2) EXPECT_NEAR(r[i], want[i], 1e-6 * std::max(1.0, std::abs(want[i]))) << i;
  EXPECT_TRUE(std::isinf(r[0]) || std::abs(r[0] - 5) < 1e-6);  // 5e38 is beyond float
  EXPECT_TRUE(std::isinf(r[2]));                               // 2e308 is beyond double
}

/// Every pair of bytes in one component, with fixed ones in the others.
void check_dot_products(unsigned level, const std::string& features) {
  BuiltinProgram program(R"(
    void run(global const uint* a, global const uint* b, global uint* r, int n) {
      for (int i = 0; i < n; ++i, r += 8) {
        r[0] = dot_4x8packed_uu_uint(a[i], b[i]); r[1] = dot_4x8packed_ss_int(a[i], b[i]);
        r[2] = dot_4x8packed_us_int(a[i], b[i]); r[3] = dot_4x8packed_su_int(a[i], b[i]);
        r[4] = dot_acc_sat_4x8packed_uu_uint(a[i], b[i], 0xffff0000);
        r[5] = dot_acc_sat_4x8packed_ss_int(a[i], b[i], 0x7fffff00);
        r[6] = dot_acc_sat_4x8packed_us_int(a[i], b[i], 0x7fffff00);
        r[7] = dot_acc_sat_4x8packed_su_int(a[i], b[i], -0x7fffff00);
      }
    })",
                         level, features);
  std::vector<std::uint32_t> a, b;
  for (std::uint32_t pair = 0; pair < 0x10000; ++pair) {
    const unsigned at = 8 * (pair % 4);
    a.push_back(std::rotl(0x7f80ff00U | pair >> 8, static_cast<int>(at)));
    b.push_back(std::rotl(0x80ff7f00U | (pair & 0xff), static_cast<int>(at)));
  }
  std::vector<std::uint32_t> r(8 * a.size());
  auto* run = program.get<void(const std::uint32_t*, const std::uint32_t*, std::uint32_t*, int)>("run");
  ASSERT_TRUE(run);
  run(a.data(), b.data(), r.data(), static_cast<int>(a.size()));
  constexpr Wide kSums[] = {0xffff0000U, 0x7fffff00, 0x7fffff00, -0x7fffff00};
  for (std::size_t i = 0; i < a.size(); ++i)
    for (unsigned form = 0; form < 4; ++form) {
      const Type& of_a = kTypes[form % 2 == 0 ? 1 : 0];
      const Type& of_b = kTypes[form == 1 || form == 2 ? 0 : 1];
      Wide sum = 0;
      for (unsigned k = 0; k < 32; k += 8) sum += of_a.wrap(a[i] >> k & 0xff) * of_b.wrap(b[i] >> k & 0xff);
      const Type& of_sum = kTypes[form == 0 ? 5 : 4];
      ASSERT_EQ(r[8 * i + form], static_cast<std::uint32_t>(sum)) << form << " of " << a[i] << ", " << b[i];
      ASSERT_EQ(r[8 * i + 4 + form], static_cast<std::uint32_t>(of_sum.saturate(sum + kSums[form])))
          << "saturated " << form << " of " << a[i] << ", " << b[i];
    }
}

class BuiltinDotProduct : public AtLevel {};

TEST_P(BuiltinDotProduct, MatchesWideArithmetic) {
  check_dot_products(GetParam(), "");
}

TEST(BuiltinVnni, DotProductsMatchWideArithmetic) {
  if (!__builtin_cpu_supports("avx512vnni")) GTEST_SKIP() << "this machine has no AVX512_VNNI";
  check_dot_products(4, "+avx512vnni");
}

INSTANTIATE_TEST_SUITE_P(Levels, BuiltinInteger, ::testing::Values(2U, 3U));
INSTANTIATE_TEST_SUITE_P(Levels, BuiltinDotProduct, ::testing::Values(2U, 3U, 4U));

}  // namespace
}  // namespace lanewise::test

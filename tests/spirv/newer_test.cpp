// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hints, fused arithmetic and bfloat16.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>

#include "tests/spirv/newer_fixture.h"

namespace lanewise::test {
namespace {

constexpr size_t kItems = 1003;

class NewerHints : public NewerIl {
 protected:
  void SetUp() override {
    NewerIl::SetUp();
    if (!IsSkipped() && !has("SPV_KHR_fma")) GTEST_SKIP() << "the validator does not know the extensions";
  }
  std::vector<float> ran(const char* name, std::vector<float> values, size_t items) const {
    return result_of(built_il("newer_hints"), name, std::move(values), items);
  }
};

TEST_F(NewerHints, ChangeNoResult) {
  const auto after = ran("hints", std::vector<float>(kItems, 9), kItems);
  EXPECT_EQ(after, std::vector<float>(kItems, 48));
}

TEST_F(NewerHints, MultiplyAndAddRoundOnce) {
  // The square is 1 + 2^-11 + 2^-24, whose last place is lost by a rounding.
  const float x = 1 + 0x1p-12F;
  std::vector<float> values(4 * kItems);
  for (size_t i = 0; i < values.size(); i += 4) {
    values[i] = x;
    values[i + 1] = -1 - 0x1p-11F;
    values[i + 2] = static_cast<float>(i);
  }
  const auto after = ran("fused", values, kItems);
  for (size_t i = 0; i < values.size(); i += 4) {
    const float n = values[i + 2];
    ASSERT_EQ(after[i], std::fma(x, x, x));
    ASSERT_EQ(after[i + 2], std::fma(n, n, n));
    ASSERT_EQ(after[i + 3], 0x1p-24F);
  }
}

/// Both operations may be reordered, but not across the fence.
TEST_F(NewerHints, FencesKeepARounding) {
  EXPECT_EQ(ran("fences", std::vector<float>(kItems, 1), kItems), std::vector<float>(kItems, 0));
}

using Bits = std::uint16_t;

/// Rounded to the nearest bfloat16, ties to even.
Bits rounded(long double value) {
  if (std::isnan(value)) return 0x7fc0;
  const long double magnitude = std::fabs(value);
  float kept = 0;
  if (std::isinf(value)) {
    kept = std::numeric_limits<float>::infinity();
  } else if (magnitude != 0) {
    const int last_place = std::max(std::ilogb(magnitude), -126) - 7;
    kept = static_cast<float>(std::ldexp(std::nearbyint(std::ldexp(magnitude, -last_place)), last_place));
  }
  return static_cast<Bits>(std::bit_cast<std::uint32_t>(std::signbit(value) ? -kept : kept) >> 16);
}
float value_of(Bits bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}
bool is_nan(Bits bits) {
  return (bits & 0x7fff) > 0x7f80;
}
std::vector<Bits> all_values() {
  std::vector<Bits> all(0x10000);
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Bits>(i);
  return all;
}

class Bfloat16 : public NewerIl {
 protected:
  void SetUp() override {
    NewerIl::SetUp();
    if (!IsSkipped() && !has("SPV_KHR_bfloat16")) GTEST_SKIP() << "the validator does not know the extension";
  }
  /// The second buffer after kernel `name` has run on each element, or group of elements, of `in`.
  template <class To, class From>
  std::vector<To> converted(const char* name, const std::vector<From>& in, size_t group = 1) const {
    const auto made = kernel(built_il("newer_bfloat16"), name);
    const auto from = filled(in);
    const auto to = filled(std::vector<To>(in.size()));
    set(made, 0, from);
    set(made, 1, to);
    run(made, in.size() / group);
    return read<To>(to, in.size());
  }
  template <class From>
  void are_rounded(const char* name, const std::vector<From>& in, size_t group = 1) const {
    const auto out = converted<Bits>(name, in, group);
    for (size_t i = 0; i < in.size(); ++i) {
      const Bits expected = rounded(static_cast<long double>(in[i]));
      if (is_nan(expected))
        ASSERT_TRUE(is_nan(out[i])) << in[i];
      else
        ASSERT_EQ(out[i], expected) << in[i];
    }
  }
};

/// Bits of any value, and those near ties: a few bits far from each other.
std::vector<std::uint64_t> patterns(size_t count) {
  std::mt19937_64 random(7);
  std::vector<std::uint64_t> all{0, 1, ~0ULL, 1ULL << 63, ~0ULL >> 1};
  while (all.size() < count) {
    std::uint64_t bits = random();
    if (all.size() % 2 == 0) {
      const unsigned top = random() % 64;
      bits = 1ULL << top | (1ULL << top) >> (8 + random() % 2) | 1ULL << random() % 64;
      if (random() % 2 == 0) bits = ~bits;
    }
    all.push_back(bits);
  }
  return all;
}
template <class T>
std::vector<T> integers(size_t count) {
  std::vector<T> all;
  for (const std::uint64_t bits : patterns(count)) all.push_back(static_cast<T>(bits));
  return all;
}
std::vector<double> doubles(size_t count) {
  std::vector<double> all{std::nan(""), 1e300, -1e300, 1e-300, HUGE_VAL, -HUGE_VAL, -0.0};
  const auto bits = patterns(count);
  for (size_t i = all.size(); i < count; ++i) {
    const auto integer = static_cast<double>(static_cast<std::int64_t>(bits[i]));
    all.push_back(std::ldexp(integer, static_cast<int>(bits[i] % 200) - 160));
  }
  return all;
}

TEST_F(Bfloat16, IsTheNearestToAFloat) {
  std::vector<float> in;
  for (const std::uint32_t bits : integers<std::uint32_t>(20000)) in.push_back(std::bit_cast<float>(bits));
  are_rounded("from_float", in);
}

TEST_F(Bfloat16, IsRoundedOnlyOnce) {
  are_rounded("from_double", doubles(20001));
  are_rounded("from_double4", doubles(20000), 4);
  are_rounded("from_int", integers<std::int32_t>(20001));
  are_rounded("from_uint", integers<std::uint32_t>(20001));
  are_rounded("from_long", integers<std::int64_t>(20001));
  are_rounded("from_ulong", integers<std::uint64_t>(20001));
  are_rounded("from_long4", integers<std::int64_t>(20000), 4);
}

TEST_F(Bfloat16, IsOfSmallIntegers) {
  are_rounded("from_uchar", integers<std::uint8_t>(1001));
  are_rounded("from_short", integers<std::int16_t>(20001));
}

TEST_F(Bfloat16, IsExactInFloatAndDouble) {
  const auto all = all_values();
  const auto floats = converted<std::uint32_t>("to_float", all);
  const auto doubles = converted<double>("to_double", all);
  const auto fours = converted<std::uint32_t>("to_float4", all, 4);
  for (size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(floats[i], i << 16);
    ASSERT_EQ(fours[i], i << 16);
    if (is_nan(all[i]))
      ASSERT_TRUE(std::isnan(doubles[i])) << i;
    else
      ASSERT_EQ(doubles[i], static_cast<double>(value_of(all[i]))) << i;
  }
}

TEST_F(Bfloat16, GoesToHalfAndBack) {
  const auto all = all_values();
  const auto halves = converted<std::uint16_t>("to_half", all);
  const auto back = converted<Bits>("from_half", halves);
  for (size_t i = 0; i < all.size(); ++i) {
    const float magnitude = std::fabs(value_of(all[i]));
    const Bits sign = all[i] & 0x8000;
    if (is_nan(all[i]))
      ASSERT_TRUE(is_nan(back[i])) << i;
    else if (magnitude >= 0x1p16F)  // infinity in half
      ASSERT_EQ(back[i], sign | 0x7f80) << i;
    else if (magnitude >= 0x1p-17F || magnitude == 0)  // half has all bits
      ASSERT_EQ(back[i], all[i]) << i;
    else if (magnitude <= 0x1p-25F)
      ASSERT_EQ(back[i], sign) << i;
  }
}

TEST_F(Bfloat16, BecomesIntegers) {
  const auto all = all_values();
  const auto signs = converted<cl_int>("to_int", all);
  const auto saturated = converted<cl_uint>("to_uint", all);
  for (size_t i = 0; i < all.size(); ++i) {
    const float value = value_of(all[i]);
    if (std::fabs(value) < 0x1p31F) ASSERT_EQ(signs[i], static_cast<cl_int>(value)) << value;
    const float limited = std::isnan(value) ? 0 : std::clamp(value, 0.0F, 0x1p32F);
    ASSERT_EQ(saturated[i], limited == 0x1p32F ? ~0U : static_cast<cl_uint>(limited)) << value;
  }
}

TEST_F(Bfloat16, HasDotProducts) {
  constexpr size_t kCount = 501;
  std::vector<Bits> x(4 * kCount);
  std::vector<Bits> y(4 * kCount);
  std::vector<Bits> expected(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    float sum = 0;
    for (size_t j = 0; j < 4; ++j) {
      const float a = static_cast<float>(i % 100) - 50;
      const float b = static_cast<float>(j * 3 + i % 7) / 4;
      x[4 * i + j] = rounded(a);
      y[4 * i + j] = rounded(b);
      sum += a * b;  // exact
    }
    expected[i] = rounded(sum);
  }
  const auto made = kernel(built_il("newer_bfloat16"), "dots");
  const auto left = filled(x);
  const auto right = filled(y);
  const auto out = filled(std::vector<Bits>(kCount));
  set(made, 0, left);
  set(made, 1, right);
  set(made, 2, out);
  run(made, kCount);
  EXPECT_EQ(read<Bits>(out, kCount), expected);
}

/// Through structures, arrays, vectors, functions and arguments; constants of the module and specialised ones.
TEST_F(Bfloat16, IsMovedAsItIs) {
  for (const bool specialised : {false, true}) {
    SCOPED_TRACE(specialised);
    const auto program = from_il(module_named("newer_bfloat16"));
    const Bits other = 0x7fa1;  // a NaN that signals
    if (specialised) ASSERT_EQ(clSetProgramSpecializationConstant(program.get(), 7, sizeof other, &other), CL_SUCCESS);
    build(program);
    const auto made = kernel(program, "moves");
    std::vector<Bits> in(kItems);
    for (size_t i = 0; i < kItems; ++i) in[i] = static_cast<Bits>(i * 65 + 3);
    const auto from = filled(in);
    const auto to = filled(std::vector<Bits>(kItems));
    set(made, 0, from);
    set(made, 1, to);
    const Bits given = 0xff81;
    set(made, 2, given);
    run(made, kItems);
    const auto out = read<Bits>(to, kItems);
    const Bits constant = specialised ? other : rounded(1.5);
    for (size_t i = 0; i < kItems; ++i) {
      const Bits four[] = {rounded(0.5), rounded(3), given, in[i]};
      ASSERT_EQ(out[i], i % 2 == 0 ? four[i / 2 % 4] : constant) << i;
    }
  }
}

TEST_F(Bfloat16, IsRefusedInOtherRoundingModes) {
  Module module = module_named("newer_bfloat16");
  std::vector<std::uint32_t> words(module.size() / 4);
  std::memcpy(words.data(), module.data(), module.size());
  constexpr std::uint32_t kDecorate = 4U << 16 | 71;
  constexpr std::uint32_t kRoundingMode = 39;
  for (size_t at = 5; at < words.size(); at += words[at] >> 16)
    if (words[at] == kDecorate && words[at + 2] == kRoundingMode) words[at + 3] = 1;  // RTZ
  std::memcpy(module.data(), words.data(), module.size());
  const auto program = from_il(module);
  EXPECT_EQ(clBuildProgram(program.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(log(program).find("rounding mode"), std::string::npos) << log(program);
}

}  // namespace
}  // namespace lanewise::test

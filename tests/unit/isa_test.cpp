// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/base/isa.h"

#include <gtest/gtest.h>

#include <tuple>

namespace lanewise {
namespace {

constexpr Isa kV2 = IsaLevel::x86_64_v2;
constexpr Isa kV3 = IsaLevel::x86_64_v3;
constexpr Isa kV4 = IsaLevel::x86_64_v4;
constexpr Isa kVnni = kV4.with(IsaFeature::avx512_vnni);
constexpr Isa kVbmi = kV4.with(IsaFeature::avx512_vbmi);
constexpr Isa kGathers = kV3.with(IsaFeature::fast_gathers);
constexpr Isa kNeon = IsaLevel::armv8_a;
constexpr Isa kNeonWithDots = IsaLevel::armv8_2_a;
constexpr Isa kFirstSve256 = IsaLevel::armv8_2_a_sve256, kSve128 = IsaLevel::armv9_a_sve128,
              kSve256 = IsaLevel::armv9_a_sve256, kSve512 = IsaLevel::armv9_a_sve512;

TEST(Isa, NumbersAreForEver) {
  for (const auto& [isa, number, features] :
       {std::tuple(kV2, 2U, 0U), std::tuple(kV3, 3U, 0U), std::tuple(kV4, 4U, 0U), std::tuple(kVnni, 4U, 1U),
        std::tuple(kVbmi, 4U, 4U), std::tuple(kGathers, 3U, 2U), std::tuple(kNeon, 32U, 0U),
        std::tuple(kNeonWithDots, 33U, 0U)}) {
    EXPECT_EQ(isa.number(), number);
    EXPECT_EQ(isa.features(), features);
    EXPECT_EQ(Isa::from_numbers(number, features), isa);
  }
  EXPECT_EQ(Isa().level(), kLowestIsaLevel);
}

TEST(Isa, WhatDoesNotExistIsNoValue) {
  for (const std::uint32_t number : {0U, 1U, 5U, 7U, ~0U}) EXPECT_EQ(Isa::from_numbers(number, 0), std::nullopt);
  EXPECT_EQ(Isa::from_numbers(3, 1), std::nullopt) << "a feature below its level";
  EXPECT_EQ(Isa::from_numbers(4, 9), std::nullopt) << "an unknown feature beside a known one";
  EXPECT_EQ(kV3.with(IsaFeature::avx512_vnni), kV3);
  EXPECT_EQ(kV2.with(IsaFeature::fast_gathers), kV2);
}

TEST(Isa, NamesAreReadAndWritten) {
  for (const Isa isa : {kV2, kV3, kV4, kVnni, kVbmi, kGathers, kNeon, kNeonWithDots})
    EXPECT_EQ(Isa::named(isa.name()), isa) << isa.name();
  EXPECT_EQ(kVnni.name(), "x86-64-v4+avx512vnni");
  EXPECT_EQ(kVnni.level_name(), "x86-64-v4");
  EXPECT_EQ(kVnni.feature_list(), "+avx512vnni");
  EXPECT_EQ(kVnni.with(IsaFeature::fast_gathers).name(), "x86-64-v4+avx512vnni+fast-gather");
  EXPECT_EQ(kVnni.with(IsaFeature::avx512_vbmi).feature_list(), "+avx512vnni,+avx512vbmi");
  EXPECT_EQ(kV4.feature_list(), "");
  EXPECT_EQ(kV4.processor(), "x86-64-v4");
  EXPECT_EQ(kNeonWithDots.name(), "armv8.2-a");
  EXPECT_EQ(kNeonWithDots.processor(), "generic");
  EXPECT_EQ(kNeonWithDots.feature_list(), "+v8.2a,+dotprod,+fullfp16");
  for (const char* wrong : {"", "x86-64", "x86-64-v5", "x86-64-v3+avx512vnni", "x86-64-v4+sse9", "+"})
    EXPECT_EQ(Isa::named(wrong), std::nullopt) << wrong;
}

TEST(Isa, CoversWhatItRuns) {
  for (const Isa isa : {kV2, kV3, kV4, kVnni}) {
    EXPECT_TRUE(isa.covers(isa));
    EXPECT_TRUE(kVnni.covers(isa));
    EXPECT_TRUE(isa.covers(kV2));
  }
  EXPECT_FALSE(kV2.covers(kV3));
  EXPECT_FALSE(kV3.covers(kV4));
  EXPECT_FALSE(kV4.covers(kVnni));
  EXPECT_FALSE(kVnni.covers(kVbmi));
}

TEST(Isa, ArchitecturesHaveNothingInCommon) {
  EXPECT_TRUE(kNeonWithDots.covers(kNeon));
  EXPECT_FALSE(kNeon.covers(kNeonWithDots));
  for (const Isa isa : {kV2, kV4}) {
    EXPECT_FALSE(kNeonWithDots.covers(isa));
    EXPECT_FALSE(isa.covers(kNeon));
  }
  EXPECT_EQ(kNeonWithDots.with(IsaFeature::avx512_vnni), kNeonWithDots);
}

TEST(Isa, CoversWhatIsOnlySlower) {
  EXPECT_TRUE(kV3.covers(kGathers));
  EXPECT_TRUE(kGathers.covers(kV3));
  EXPECT_FALSE(kV2.covers(kGathers));
  EXPECT_FALSE(kV4.covers(kVnni.with(IsaFeature::fast_gathers)));
}

TEST(Isa, ALimitTakesFeaturesAlong) {
  EXPECT_EQ(kVnni.limited_to(IsaLevel::x86_64_v4), kVnni);
  EXPECT_EQ(kVnni.limited_to(IsaLevel::x86_64_v3), kV3);
  EXPECT_EQ(kV2.limited_to(IsaLevel::x86_64_v4), kV2);
  EXPECT_EQ(kVnni.with(IsaFeature::fast_gathers).limited_to(IsaLevel::x86_64_v3), kGathers);
  EXPECT_EQ(kVnni.base(), kV4);
}

TEST(Isa, Registers) {
  EXPECT_EQ(kV2.vector_bits(), 128U);
  EXPECT_EQ(kV3.vector_bits(), 256U);
  EXPECT_EQ(kVnni.vector_bits(), 512U);
  EXPECT_EQ(kVnni.vector_bytes(), 64U);
  EXPECT_EQ(kV3.usual_lanes(), 8U);
  EXPECT_EQ(kV3.registers(), 16U);
  EXPECT_EQ(kV4.registers(), 32U);
  EXPECT_FALSE(kV2.has_masked_moves());
  EXPECT_TRUE(kV3.has_masked_moves() && kV3.has_half_conversions() && kV3.has_fused_multiply_add());
  EXPECT_FALSE(kV3.has_mask_registers());
  EXPECT_TRUE(kV4.has_mask_registers() && kV4.has_ternary_logic() && kV4.has_directed_rounding());
  EXPECT_EQ(kNeon.vector_bits(), 128U);
  EXPECT_EQ(kNeon.registers(), 32U);
  EXPECT_TRUE(kNeon.has_half_conversions() && kNeon.has_fused_multiply_add());
  EXPECT_FALSE(kNeon.has_masked_moves());
  EXPECT_FALSE(kNeon.has_dot_products() || kV4.has_dot_products());
  EXPECT_TRUE(kNeonWithDots.has_dot_products() && kVnni.has_dot_products());
}

/// Code for one length of scalable vectors runs only where they have that length.
TEST(Isa, ExactWidths) {
  EXPECT_EQ(kSve256.vector_bits(), 256U);
  EXPECT_TRUE(kSve256.has_mask_registers() && kSve256.has_fast_gathers() && kSve256.has_exact_width());
  EXPECT_FALSE(kSve256.has_lane_functions() || kSve256.has_reciprocal_estimates());
  EXPECT_FALSE(kSve128.has_mask_registers());
  EXPECT_TRUE(kSve512.covers(kSve512) && kSve512.covers(kNeonWithDots) && kSve256.covers(kFirstSve256));
  EXPECT_FALSE(kSve512.covers(kSve256) || kSve512.covers(kSve128) || kSve256.covers(kSve128));
  EXPECT_FALSE(kFirstSve256.covers(kSve256));
  EXPECT_EQ(kSve512.limited_to(IsaLevel::armv9_a_sve256), kSve512);
  EXPECT_EQ(kSve512.limited_to(IsaLevel::armv8_2_a), kNeonWithDots);
  EXPECT_EQ(kSve256.limited_to(IsaLevel::armv8_2_a_sve256), kFirstSve256);
}

}  // namespace
}  // namespace lanewise

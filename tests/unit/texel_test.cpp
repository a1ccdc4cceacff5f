// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>

#include "include/lanewise/cl_compat.h"
#include "runtime/layout/description.h"
#include "runtime/layout/format.h"
#include "runtime/memory/sampler.h"

namespace lanewise {
namespace {

/// What kernels compute of a field (lw_fraction in kernels-builtin/include/texel.h), with fused operations and without.
float fraction(const lanewise_texel& texel, unsigned channel, float field, bool fused) {
  const float rest = field * texel.read_rest[channel];
  if (texel.rests == 0) return field * texel.read_scale[channel];
  return fused ? std::fma(field, texel.read_scale[channel], rest) : field * texel.read_scale[channel] + rest;
}

/// Kernels multiply where the specification divides (SPIR-V environment 7.4.1.3). The ends are exact. Every other value is
/// the quotient, but with 8 bits: there it is at most one ULP above. So whoever multiplies again has the field, rounded
/// down or to the nearest.
TEST(Texel, FieldsBecomeFractionsAndComeBack) {
  for (const cl_image_format& format : supported_formats()) {
    const lanewise_texel texel = describe_texel(format);
    if (texel.kind != lanewise_texel_normalised && texel.kind != lanewise_texel_narrow) continue;
    for (unsigned c = 0; c < 4; ++c) {
      if (texel.read_mask[c] == 0) continue;
      const std::uint32_t largest = texel.read_mask[c] >> (texel.sign != 0 ? 1 : 0);
      const auto most = static_cast<float>(largest);
      EXPECT_EQ(texel.write_scale[c], texel.write_mask[c] != 0 ? most : 0.0F);
      for (std::uint32_t n = 0; n <= largest; ++n) {
        const auto field = static_cast<float>(n);
        const float value = fraction(texel, c, field, false);
        ASSERT_EQ(value, fraction(texel, c, field, true)) << n << " of " << largest;
        ASSERT_EQ(-value, fraction(texel, c, -field, false)) << n << " of " << largest;
        const float above = largest == 255 ? std::nextafter(field / most, 2.0F) : field / most;
        ASSERT_TRUE(value == field / most || value == above) << n << " of " << largest;
        ASSERT_EQ(std::floor(value * most), field) << n << " of " << largest;
        if (n == largest) ASSERT_EQ(value, 1.0F);
      }
    }
  }
}

/// No bit of an element belongs to two of its channels.
TEST(Texel, StoredFieldsDoNotOverlap) {
  for (const cl_image_format& format : supported_formats()) {
    const lanewise_texel texel = describe_texel(format);
    ASSERT_EQ(texel.bytes, *element_bytes(format));
    if (texel.bytes == 16) continue;
    std::array<std::uint64_t, 2> seen{};
    for (unsigned c = 0; c < 4; ++c) {
      ASSERT_LT(texel.word[c], 2u);
      const std::uint64_t bits = std::uint64_t{texel.write_mask[c]} << texel.shift[c];
      EXPECT_EQ(seen[texel.word[c]] & bits, 0u);
      EXPECT_EQ(bits >> 32, 0u);
      seen[texel.word[c]] |= bits;
    }
    if (texel.bytes < 8) {
      EXPECT_EQ(seen[1], 0u);
      EXPECT_EQ(seen[0] >> (8 * texel.bytes), 0u);
    }
  }
}

TEST(SamplerWord, HasEveryTrait) {
  SamplerTraits traits;
  EXPECT_EQ(sampler_word(traits) & 0xFF,
            LANEWISE_SAMPLER_NORMALISED | LANEWISE_SAMPLER_CLAMP | LANEWISE_SAMPLER_NEAREST);
  EXPECT_EQ(sampler_word(traits) >> LANEWISE_SAMPLER_LOD_MAX, (1u << LANEWISE_SAMPLER_LOD_BITS) - 1);
  traits.normalized = CL_FALSE;
  traits.addressing = CL_ADDRESS_NONE;
  traits.filter = CL_FILTER_LINEAR;
  traits.mip_filter = CL_FILTER_LINEAR;
  traits.lod_min = 1.5F;
  traits.lod_max = 2.0F;
  const std::uint64_t word = sampler_word(traits);
  EXPECT_EQ(word & 0xFF, LANEWISE_SAMPLER_LINEAR | LANEWISE_SAMPLER_MIP_LINEAR);
  EXPECT_EQ((word >> LANEWISE_SAMPLER_LOD_MIN) & ((1u << LANEWISE_SAMPLER_LOD_BITS) - 1),
            3u << (LANEWISE_SAMPLER_LOD_FRACTION - 1));
  EXPECT_EQ(word >> LANEWISE_SAMPLER_LOD_MAX, 2u << LANEWISE_SAMPLER_LOD_FRACTION);
}

}  // namespace
}  // namespace lanewise

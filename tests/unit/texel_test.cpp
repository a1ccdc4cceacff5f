// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "include/lanewise/cl_compat.h"
#include "runtime/layout/description.h"
#include "runtime/layout/format.h"
#include "runtime/memory/sampler.h"

namespace lanewise {
namespace {

/// Kernels multiply where the specification divides: the ends and the middle have to be exact (SPIR-V environment
/// 7.4.1.3).
TEST(Texel, ScalesGiveExactEnds) {
  for (const cl_image_format& format : supported_formats()) {
    const lanewise_texel texel = describe_texel(format);
    if (texel.kind != lanewise_texel_normalised && texel.kind != lanewise_texel_narrow) continue;
    for (unsigned c = 0; c < 4; ++c) {
      if (texel.read_mask[c] == 0) continue;
      const auto most = static_cast<float>(texel.read_mask[c] >> (texel.sign != 0 ? 1 : 0));
      EXPECT_EQ(most * texel.read_scale[c], 1.0F) << most;
      EXPECT_EQ(-most * texel.read_scale[c], -1.0F) << most;
      EXPECT_EQ(texel.write_scale[c], texel.write_mask[c] != 0 ? most : 0.0F);
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

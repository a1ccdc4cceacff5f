// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/sampler.h"

#include <algorithm>
#include <cmath>

#include "include/lanewise/image_abi.h"

namespace lanewise {

namespace {

std::uint64_t addressing_bits(cl_addressing_mode mode) {
  switch (mode) {
    case CL_ADDRESS_CLAMP_TO_EDGE:
      return LANEWISE_SAMPLER_EDGE;
    case CL_ADDRESS_CLAMP:
      return LANEWISE_SAMPLER_CLAMP;
    case CL_ADDRESS_REPEAT:
      return LANEWISE_SAMPLER_REPEAT;
    case CL_ADDRESS_MIRRORED_REPEAT:
      return LANEWISE_SAMPLER_MIRROR;
    default:
      return LANEWISE_SAMPLER_NONE;
  }
}

/// A level of detail in fixed point. Clamping to its range does no harm, because no image has 32 levels.
std::uint64_t fixed_point(float lod) {
  constexpr double kMost = (1U << LANEWISE_SAMPLER_LOD_BITS) - 1;
  const double scaled = std::ldexp(static_cast<double>(lod), LANEWISE_SAMPLER_LOD_FRACTION);
  return std::isnan(lod) ? 0 : static_cast<std::uint64_t>(std::clamp(scaled, 0.0, kMost));
}

}  // namespace

std::uint64_t sampler_word(const SamplerTraits& traits) {
  std::uint64_t word = addressing_bits(traits.addressing);
  if (traits.normalized == CL_TRUE) word |= LANEWISE_SAMPLER_NORMALISED;
  word |= traits.filter == CL_FILTER_LINEAR ? LANEWISE_SAMPLER_LINEAR : LANEWISE_SAMPLER_NEAREST;
  if (traits.mip_filter == CL_FILTER_LINEAR) word |= LANEWISE_SAMPLER_MIP_LINEAR;
  word |= fixed_point(traits.lod_min) << LANEWISE_SAMPLER_LOD_MIN;
  return word | fixed_point(traits.lod_max) << LANEWISE_SAMPLER_LOD_MAX;
}

}  // namespace lanewise

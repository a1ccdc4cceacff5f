// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Samplers (API 5.7): how kernels read images.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/core/context.h"
#include "runtime/object/object.h"

namespace lanewise {

struct SamplerTraits {
  cl_bool normalized = CL_TRUE;
  cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
  cl_filter_mode filter = CL_FILTER_NEAREST;
  cl_filter_mode mip_filter = CL_FILTER_NEAREST;  ///< cl_khr_mipmap_image
  cl_float lod_min = 0.0F;
  cl_float lod_max = 3.402823466e+38F;  ///< MAXFLOAT
};

/// The word that kernels receive for a sampler (include/lanewise/image_abi.h).
std::uint64_t sampler_word(const SamplerTraits& traits);

class Sampler final : public Object<_cl_sampler, Tag::sampler> {
 public:
  /// @param properties  the application's list with the closing 0; empty: it gave none
  Sampler(Context& context, const SamplerTraits& traits, std::vector<cl_sampler_properties> properties)
      : context_(context), traits_(traits), properties_(std::move(properties)) {}

  [[nodiscard]] Context& context() const { return *context_; }
  [[nodiscard]] const SamplerTraits& traits() const { return traits_; }
  [[nodiscard]] const std::vector<cl_sampler_properties>& properties() const { return properties_; }

 private:
  ~Sampler() override = default;

  Ref<Context> context_;
  SamplerTraits traits_;
  std::vector<cl_sampler_properties> properties_;
};

}  // namespace lanewise

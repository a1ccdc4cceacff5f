// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Samplers (API 5.7).
#include "runtime/memory/sampler.h"
#include "icd/selection.h"

#include <bit>

#include "icd/cast.h"
#include "icd/image_check.h"
#include "icd/info.h"
#include "icd/property_list.h"

using namespace lanewise;

namespace {

/// API 5.7.1, table 41.
void check_traits(const SamplerTraits& traits) {
  const auto is_filter = [](cl_filter_mode mode) { return mode == CL_FILTER_NEAREST || mode == CL_FILTER_LINEAR; };
  require(traits.normalized == CL_TRUE || traits.normalized == CL_FALSE, CL_INVALID_VALUE,
          "normalized is not a cl_bool");
  require(traits.addressing >= CL_ADDRESS_NONE && traits.addressing <= CL_ADDRESS_MIRRORED_REPEAT, CL_INVALID_VALUE,
          "not an addressing mode");
  require(is_filter(traits.filter) && is_filter(traits.mip_filter), CL_INVALID_VALUE, "not a filter mode");
  const bool repeats = traits.addressing == CL_ADDRESS_REPEAT || traits.addressing == CL_ADDRESS_MIRRORED_REPEAT;
  require(!repeats || traits.normalized == CL_TRUE, CL_INVALID_VALUE,
          "this addressing mode needs normalized coordinates");
}

cl_float as_float(cl_sampler_properties value) {
  return std::bit_cast<cl_float>(static_cast<cl_uint>(value));
}

cl_uint narrow(cl_sampler_properties value) {
  require(value >> 32 == 0, CL_INVALID_VALUE, "not a value of the property's type");
  return static_cast<cl_uint>(value);
}

using Traits = SamplerTraits;
using Value = cl_sampler_properties;
constexpr PropertyRow<Value, Traits> kSamplerProperties[] = {
    {CL_SAMPLER_NORMALIZED_COORDS, [](Traits& t, Value value) { t.normalized = narrow(value); }},
    {CL_SAMPLER_ADDRESSING_MODE, [](Traits& t, Value value) { t.addressing = narrow(value); }},
    {CL_SAMPLER_FILTER_MODE, [](Traits& t, Value value) { t.filter = narrow(value); }},
    {CL_SAMPLER_MIP_FILTER_MODE_KHR, [](Traits& t, Value value) { t.mip_filter = narrow(value); }},
    {CL_SAMPLER_LOD_MIN_KHR, [](Traits& t, Value value) { t.lod_min = as_float(value); }},
    {CL_SAMPLER_LOD_MAX_KHR, [](Traits& t, Value value) { t.lod_max = as_float(value); }},
};

constexpr Row<Sampler> kSamplerInfo[] = {
    {CL_SAMPLER_REFERENCE_COUNT, type<cl_uint>, [](const Sampler& s) { return s.reference_count(); }},
    {CL_SAMPLER_CONTEXT, type<cl_context>, [](const Sampler& s) { return s.context().handle(); }},
    {CL_SAMPLER_NORMALIZED_COORDS, type<cl_bool>, [](const Sampler& s) { return s.traits().normalized; }},
    {CL_SAMPLER_ADDRESSING_MODE, type<cl_addressing_mode>, [](const Sampler& s) { return s.traits().addressing; }},
    {CL_SAMPLER_FILTER_MODE, type<cl_filter_mode>, [](const Sampler& s) { return s.traits().filter; }},
    {CL_SAMPLER_MIP_FILTER_MODE_KHR, type<cl_filter_mode>, [](const Sampler& s) { return s.traits().mip_filter; }},
    {CL_SAMPLER_LOD_MIN_KHR, type<cl_float>, [](const Sampler& s) { return s.traits().lod_min; }},
    {CL_SAMPLER_LOD_MAX_KHR, type<cl_float>, [](const Sampler& s) { return s.traits().lod_max; }},
    {CL_SAMPLER_PROPERTIES, type<cl_sampler_properties[]>, [](const Sampler& s) { return s.properties(); }},
};

}  // namespace

CL_API_ENTRY cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context,
                                                                  const cl_sampler_properties* sampler_properties,
                                                                  cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&]() -> cl_sampler {
    auto& owner = live_context(context);
    SamplerTraits traits;
    auto list = read_properties(sampler_properties, kSamplerProperties, traits, CL_INVALID_VALUE);
    check_traits(traits);
    return (new Sampler(owner, traits, std::move(list)))->handle();
  });
}

CL_API_ENTRY cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized_coords,
                                                    cl_addressing_mode addressing_mode, cl_filter_mode filter_mode,
                                                    cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&]() -> cl_sampler {
    auto& owner = live_context(context);
    SamplerTraits traits;
    traits.normalized = normalized_coords;
    traits.addressing = addressing_mode;
    traits.filter = filter_mode;
    check_traits(traits);
    return (new Sampler(owner, traits, {}))->handle();
  });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainSampler(cl_sampler sampler) {
  return entry_quick(__func__, [&] { retain<Sampler>(sampler); });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler) {
  return entry(__func__, [&] { release<Sampler>(sampler); });
}

CL_API_ENTRY cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name,
                                                 size_t param_value_size, void* param_value,
                                                 size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    answer(kSamplerInfo, param_name, as<Sampler>(sampler),
           InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Samplers (API 5.7) on a device without images: none can be made, so no handle of one is valid.
#include "icd/cast.h"
#include "runtime/core/context.h"

using namespace lanewise;

namespace {

/// API 5.7.1: "CL_INVALID_OPERATION if images are not supported by any device associated with context".
cl_sampler refuse_creation(const char* function, cl_context context, cl_int* errcode_ret) {
  return entry_create(function, errcode_ret, [&]() -> cl_sampler {
    as<Context>(context);
    throw ApiError{CL_INVALID_OPERATION, "no device of the context supports images"};
  });
}

cl_int refuse_handle(const char* function) {
  return entry(function, [] { throw ApiError{CL_INVALID_SAMPLER, "not a sampler"}; });
}

}  // namespace

CL_API_ENTRY cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool, cl_addressing_mode, cl_filter_mode,
                                                    cl_int* errcode_ret) {
  return refuse_creation(__func__, context, errcode_ret);
}

CL_API_ENTRY cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties*,
                                                                  cl_int* errcode_ret) {
  return refuse_creation(__func__, context, errcode_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clRetainSampler(cl_sampler) {
  return refuse_handle(__func__);
}
CL_API_ENTRY cl_int CL_API_CALL clReleaseSampler(cl_sampler) {
  return refuse_handle(__func__);
}
CL_API_ENTRY cl_int CL_API_CALL clGetSamplerInfo(cl_sampler, cl_sampler_info, size_t, void*, size_t*) {
  return refuse_handle(__func__);
}

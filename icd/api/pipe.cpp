// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Pipes (API 5.4) on a device without them; errors of API appendix H, "Pipes".
#include "icd/cast.h"
#include "icd/selection.h"
#include "runtime/core/context.h"

using namespace lanewise;

CL_API_ENTRY cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags, cl_uint, cl_uint,
                                             const cl_pipe_properties*, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&]() -> cl_mem {
    live_context(context);
    throw ApiError{CL_INVALID_OPERATION, "no device of the context supports pipes"};
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetPipeInfo(cl_mem, cl_pipe_info, size_t, void*, size_t*) {
  return entry(__func__, [] { throw ApiError{CL_INVALID_MEM_OBJECT, "not a pipe"}; });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_khr_icd: what loaders call.
#include "icd/dispatch.h"

CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id* platforms,
                                                       cl_uint* num_platforms) {
  return clGetPlatformIDs(num_entries, platforms, num_platforms);
}

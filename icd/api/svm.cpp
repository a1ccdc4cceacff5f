// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Shared virtual memory (API 5.6) on a device without it; behaviour of API appendix H, "Shared Virtual Memory".
/// The kernel functions for SVM are in icd/api/kernel.cpp.
#include "icd/cast.h"
#include "runtime/exec/queue.h"

using namespace lanewise;

namespace {

cl_int refuse_command(const char* function, cl_command_queue queue) {
  return entry(function, [&] {
    as<Queue>(queue);
    throw ApiError{CL_INVALID_OPERATION, "the device does not support SVM"};
  });
}

}  // namespace

CL_API_ENTRY void* CL_API_CALL clSVMAlloc(cl_context, cl_svm_mem_flags, size_t, cl_uint) {
  return nullptr;
}

CL_API_ENTRY void CL_API_CALL clSVMFree(cl_context, void*) {}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMFree(cl_command_queue queue, cl_uint, void*[],
                                                 void(CL_CALLBACK*)(cl_command_queue, cl_uint, void*[], void*), void*,
                                                 cl_uint, const cl_event*, cl_event*) {
  return refuse_command(__func__, queue);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool, void*, const void*, size_t, cl_uint,
                                                   const cl_event*, cl_event*) {
  return refuse_command(__func__, queue);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue queue, void*, const void*, size_t, size_t, cl_uint,
                                                    const cl_event*, cl_event*) {
  return refuse_command(__func__, queue);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue queue, cl_bool, cl_map_flags, void*, size_t, cl_uint,
                                                const cl_event*, cl_event*) {
  return refuse_command(__func__, queue);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue queue, void*, cl_uint, const cl_event*, cl_event*) {
  return refuse_command(__func__, queue);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint, const void**, const size_t*,
                                                       cl_mem_migration_flags, cl_uint, const cl_event*, cl_event*) {
  return refuse_command(__func__, queue);
}

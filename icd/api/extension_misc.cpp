// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The suggested local size (cl_khr_suggested_local_work_size).
#include <algorithm>
#include <limits>

#include "icd/cast.h"
#include "icd/commands.h"
#include "icd/selection.h"
#include "include/lanewise/cl_compat.h"
#include "runtime/core/context.h"
#include "runtime/exec/queue.h"
#include "runtime/kernel/kernel.h"
#include "runtime/launch/ndrange.h"

using namespace lanewise;

CL_API_ENTRY cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(cl_command_queue command_queue, cl_kernel kernel,
                                                                  cl_uint work_dim, const size_t* global_work_offset,
                                                                  const size_t* global_work_size,
                                                                  size_t* suggested_local_work_size) {
  return entry(__func__, [&] {
    const auto& queue = as<Queue>(command_queue);
    auto& k = as<Kernel>(kernel);
    require(&k.context() == &queue.context(), CL_INVALID_CONTEXT, "kernel and queue of different contexts");
    require(work_dim >= 1 && work_dim <= 3, CL_INVALID_WORK_DIMENSION, "work_dim is not 1, 2 or 3");
    require(global_work_size != nullptr, CL_INVALID_GLOBAL_WORK_SIZE, "global_work_size is null");
    require(suggested_local_work_size != nullptr, CL_INVALID_VALUE, "suggested_local_work_size is null");
    NdRange range;
    range.dims = work_dim;
    for (cl_uint i = 0; i < work_dim; ++i) {
      require(global_work_size[i] != 0, CL_INVALID_GLOBAL_WORK_SIZE, "a global size is 0");
      range.global[i] = global_work_size[i];
      if (global_work_offset == nullptr) continue;
      range.offset[i] = global_work_offset[i];
      require(range.offset[i] <= std::numeric_limits<std::size_t>::max() - range.global[i], CL_INVALID_GLOBAL_OFFSET,
              "offset + size overflows");
    }
    // Making the launch that the application would enqueue finds every other error; the launch itself is not used.
    if (k.runs_on(queue.device())) wait_for_code(queue.device(), k);
    const CheckedRange checked = unwrap(check_range(k, queue.device(), range));
    unwrap(make_launch(k, queue.device(), checked));
    std::copy_n(checked.local.begin(), work_dim, suggested_local_work_size);
  });
}

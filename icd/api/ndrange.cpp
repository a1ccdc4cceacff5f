// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernel launches (API 5.10).
#include <limits>
#include <utility>

#include "icd/cast.h"
#include "icd/commands.h"
#include "icd/enqueue.h"
#include "runtime/exec/queue.h"
#include "runtime/kernel/kernel.h"
#include "runtime/launch/awaited_launch.h"
#include "runtime/launch/ndrange.h"

using namespace lanewise;

namespace lanewise {

NdRange read_range(cl_uint dims, const size_t* offset, const size_t* global, const size_t* local) {
  require(dims >= 1 && dims <= 3, CL_INVALID_WORK_DIMENSION, "work_dim is not 1, 2 or 3");
  NdRange range;
  range.dims = dims;
  for (cl_uint i = 0; i < dims; ++i) {
    range.global[i] = global != nullptr ? global[i] : 0;  // since OpenCL 2.1 a launch without work-items succeeds
    if (offset == nullptr) continue;
    range.offset[i] = offset[i];
    require(range.offset[i] <= std::numeric_limits<size_t>::max() - range.global[i], CL_INVALID_GLOBAL_OFFSET,
            "offset + size overflows");
  }
  if (local != nullptr) {
    range.local = Sizes{1, 1, 1};
    for (cl_uint i = 0; i < dims; ++i) (*range.local)[i] = local[i];
  }
  return range;
}

void check_kernel(const Queue& queue, const Kernel& kernel) {
  require(kernel.runs_on(queue.device()), CL_INVALID_PROGRAM_EXECUTABLE, "no executable for the queue's device");
  require(&kernel.context() == &queue.context(), CL_INVALID_CONTEXT, "kernel and queue are of different contexts");
}

void wait_for_code(const Device& device, const Kernel& kernel) {
  if (kernel.code(device) != nullptr) [[likely]]
    return;
  const cl_int status = kernel.wait_for_code(device);
  require(status == CL_SUCCESS, status, "the kernel's code cannot be made (LANEWISE_DEBUG=build says why)");
}

WorkPtr work_of_launch(const Queue& queue, Kernel& kernel, const NdRange& range) {
  wait_for_code(queue.device(), kernel);
  const CheckedRange checked = unwrap(check_range(kernel, queue.device(), range));
  if (range.empty()) return nullptr;
  return unwrap(make_launch(kernel, queue.device(), checked));
}

WorkPtr work_of_recorded_launch(const Queue& queue, Kernel& kernel, const NdRange& range) {
  if (kernel.all_args_set()) return work_of_launch(queue, kernel, range);
  wait_for_code(queue.device(), kernel);
  (void)unwrap(check_range(kernel, queue.device(), range));
  return nullptr;
}

}  // namespace lanewise

namespace {

void launch(cl_command_queue queue_handle, cl_kernel kernel_handle, cl_command_type type, cl_uint dims,
            const size_t* offset, const size_t* global, const size_t* local, WaitList waits, cl_event* event) {
  auto& queue = as<Queue>(queue_handle);
  auto& kernel = as<Kernel>(kernel_handle);
  check_kernel(queue, kernel);
  require(kernel.all_args_set(), CL_INVALID_KERNEL_ARGS, "an argument has not been set");
  const NdRange range = read_range(dims, offset, global, local);
  if (kernel.code(queue.device()) == nullptr && !range.empty()) [[unlikely]] {
    if (auto launch = unwrap(make_awaited_launch(kernel, queue, range)))
      return enqueue_after(*launch->code, queue, type, std::move(launch->work), waits, event);
  }
  enqueue(queue, type, work_of_launch(queue, kernel, range), waits, event);
}

}  // namespace

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel,
                                                       cl_uint work_dim, const size_t* global_work_offset,
                                                       const size_t* global_work_size, const size_t* local_work_size,
                                                       cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                                       cl_event* event) {
  return entry_quick(__func__, [&] {
    launch(command_queue, kernel, CL_COMMAND_NDRANGE_KERNEL, work_dim, global_work_offset, global_work_size,
           local_work_size, {num_events_in_wait_list, event_wait_list}, event);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueTask(cl_command_queue command_queue, cl_kernel kernel,
                                              cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                              cl_event* event) {
  return entry(__func__, [&] {
    constexpr size_t one = 1;
    launch(command_queue, kernel, CL_COMMAND_TASK, 1, nullptr, &one, &one, {num_events_in_wait_list, event_wait_list},
           event);
  });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Commands that can be enqueued directly or recorded in a command-buffer. Each function checks the arguments and makes
/// the work of a command for `queue`. It is defined beside the entry point that enqueues such a command, and throws the
/// specification's errors for that entry point, except the errors of the queue and the wait list.
#pragma once

#include <CL/cl.h>

#include <cstddef>

#include "runtime/exec/queue.h"
#include "runtime/exec/work.h"
#include "runtime/launch/ndrange.h"

namespace lanewise {

class Device;
class Kernel;

WorkPtr work_of_copy_buffer(const Queue& queue, cl_mem src_buffer, cl_mem dst_buffer, std::size_t src_offset,
                            std::size_t dst_offset, std::size_t size);

/// The arguments of clEnqueueCopyBufferRect.
struct RectCopy {
  cl_mem src_buffer;
  cl_mem dst_buffer;
  const std::size_t* src_origin;
  const std::size_t* dst_origin;
  const std::size_t* region;
  std::size_t src_row_pitch;
  std::size_t src_slice_pitch;
  std::size_t dst_row_pitch;
  std::size_t dst_slice_pitch;
};
WorkPtr work_of_copy_buffer_rect(const Queue& queue, const RectCopy& copy);

WorkPtr work_of_fill_buffer(const Queue& queue, cl_mem buffer, const void* pattern, std::size_t pattern_size,
                            std::size_t offset, std::size_t size);

WorkPtr work_of_fill_image(const Queue& queue, cl_mem image, const void* fill_color, const std::size_t* origin,
                           const std::size_t* region);
WorkPtr work_of_copy_image(const Queue& queue, cl_mem src_image, cl_mem dst_image, const std::size_t* src_origin,
                           const std::size_t* dst_origin, const std::size_t* region);
WorkPtr work_of_copy_image_to_buffer(const Queue& queue, cl_mem src_image, cl_mem dst_buffer,
                                     const std::size_t* src_origin, const std::size_t* region, std::size_t dst_offset);
WorkPtr work_of_copy_buffer_to_image(const Queue& queue, cl_mem src_buffer, cl_mem dst_image, std::size_t src_offset,
                                     const std::size_t* dst_origin, const std::size_t* region);

/// Copies `size` bytes between plain pointers. Throws the errors of enqueue_pointer_copy.
WorkPtr work_of_pointer_copy(const Queue& queue, void* destination, const void* source, std::size_t size);
/// Repeats a pattern over `size` bytes. Throws the errors of enqueue_pointer_fill.
WorkPtr work_of_pointer_fill(const Queue& queue, void* destination, const void* pattern, std::size_t pattern_size,
                             std::size_t size);

/// Reads and checks an index space. Throws CL_INVALID_WORK_DIMENSION, CL_INVALID_GLOBAL_OFFSET.
NdRange read_range(cl_uint dims, const std::size_t* offset, const std::size_t* global, const std::size_t* local);
/// Checks that the kernel can run on the queue's device. Throws CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_CONTEXT.
void check_kernel(const Queue& queue, const Kernel& kernel);
/// Waits until there is code of a kernel that `check_kernel` accepts. Throws CL_OUT_OF_RESOURCES and others if there is
/// none.
void wait_for_code(const Device& device, const Kernel& kernel);
/// Makes the work of a launch of a kernel whose arguments are all set. Waits for the code. Null: there are no
/// work-items. Throws the errors of `wait_for_code`, `check_range` and `make_launch`.
WorkPtr work_of_launch(const Queue& queue, Kernel& kernel, const NdRange& range);
/// Makes the work of a launch of a kernel that may lack arguments. Null: there are no work-items, or arguments are
/// missing and only the index space has been checked.
WorkPtr work_of_recorded_launch(const Queue& queue, Kernel& kernel, const NdRange& range);

/// Checks the rules of clSetKernelExecInfo. Throws CL_INVALID_VALUE.
void check_exec_info(cl_uint name, std::size_t size, const void* value);

}  // namespace lanewise

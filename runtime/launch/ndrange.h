// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernel launches: a work (exec/work.h) whose pieces are work-groups, made from checked sizes and the kernel's
/// arguments.
#pragma once

#include "runtime/core/device.h"
#include "runtime/exec/work.h"
#include "runtime/launch/block_arguments.h"
#include "runtime/launch/index_space.h"
#include "src/base/result.h"

namespace lanewise {

class Kernel;
struct LaunchArgs;

/// Makes the work of a launch with a snapshot of the kernel's current arguments and a reference to the kernel. `range`
/// has at least one work-item. Errors: CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_ARGS,
/// CL_MISALIGNED_SUB_BUFFER_OFFSET, CL_OUT_OF_RESOURCES (local memory; more work-groups than can be numbered),
/// CL_OUT_OF_HOST_MEMORY.
Result<WorkPtr> make_launch(Kernel& kernel, const Device& device, const CheckedRange& range);

/// The same with a snapshot of arguments that has been taken before, and not the kernel's current ones.
Result<WorkPtr> make_launch(Kernel& kernel, const Device& device, const CheckedRange& range, LaunchArgs args);

/// Checks a snapshot of arguments. Returns CL_SUCCESS, CL_MISALIGNED_SUB_BUFFER_OFFSET or CL_OUT_OF_RESOURCES (local
/// memory).
[[nodiscard]] cl_int check_arguments(const LaunchArgs& args, const Device& device);

/// Makes the work of a launch of a block's kernel. Errors: CL_INVALID_KERNEL_ARGS (another number of arguments),
/// CL_INVALID_ARG_SIZE, CL_OUT_OF_RESOURCES (local memory, groups), CL_OUT_OF_HOST_MEMORY, CLK_DEVICE_QUEUE_FULL.
Result<WorkPtr> make_block_launch(Kernel& block, const Device& device, const CheckedRange& range,
                                  const BlockArguments& arguments);

}  // namespace lanewise

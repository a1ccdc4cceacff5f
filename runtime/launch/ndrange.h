// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernel launches: makes a work, whose pieces are work-groups, from checked sizes and the kernel's current arguments.
#pragma once

#include "runtime/core/device.h"
#include "runtime/exec/work.h"
#include "runtime/launch/block_arguments.h"
#include "runtime/launch/index_space.h"
#include "src/base/result.h"

namespace lanewise {

class Kernel;

/// Takes a snapshot of the kernel's arguments, and keeps the kernel. `range` has work-items. Errors:
/// CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_ARGS, CL_MISALIGNED_SUB_BUFFER_OFFSET, CL_OUT_OF_RESOURCES (local
/// memory; more work-groups than can be numbered), CL_OUT_OF_HOST_MEMORY.
Result<WorkPtr> make_launch(Kernel& kernel, const Device& device, const CheckedRange& range);

/// The same for the kernel of a block. Errors: CL_INVALID_KERNEL_ARGS (another number of arguments),
/// CL_INVALID_ARG_SIZE, CL_OUT_OF_RESOURCES (local memory, groups), CL_OUT_OF_HOST_MEMORY, CLK_DEVICE_QUEUE_FULL.
Result<WorkPtr> make_block_launch(Kernel& block, const Device& device, const CheckedRange& range,
                                  const BlockArguments& arguments);

}  // namespace lanewise

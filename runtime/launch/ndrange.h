// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernel launches: makes a work, whose pieces are work-groups, from checked sizes and the kernel's current arguments.
#pragma once

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "runtime/core/device.h"
#include "runtime/exec/work.h"
#include "runtime/launch/local_size.h"
#include "src/base/result.h"

namespace lanewise {

class Kernel;
class Queue;

/// The index space as enqueued. Unused dimensions have offset 0 and global size 1.
struct NdRange {
  unsigned dims = 1;
  Sizes offset{};
  Sizes global{1, 1, 1};
  std::optional<Sizes> local;  ///< empty: the driver chooses
  /// Whether there are no work-items: the command then succeeds without running anything.
  [[nodiscard]] bool empty() const { return global[0] == 0 || global[1] == 0 || global[2] == 0; }
};

/// The checks of API 5.10 that need the kernel and the device. Errors: CL_INVALID_WORK_GROUP_SIZE,
/// CL_INVALID_WORK_ITEM_SIZE.
Result<void> check_local_size(const Kernel& kernel, const Device& device, const NdRange& range);

/// The local size of a launch: the given one, or one that the driver chooses. `range` is not empty and has been
/// checked.
Sizes local_size_of(const Kernel& kernel, const Device& device, const NdRange& range);

/// Takes a snapshot of the kernel's arguments. Errors: CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_ARGS,
/// CL_MISALIGNED_SUB_BUFFER_OFFSET, CL_OUT_OF_RESOURCES (local memory; more work-groups than can be numbered),
/// CL_OUT_OF_HOST_MEMORY.
Result<WorkPtr> make_launch(const Kernel& kernel, const Device& device, const NdRange& range);

/// The values of a block that a kernel enqueues.
struct BlockArguments {
  std::span<const std::byte> literal;    ///< is copied
  std::size_t literal_align = 1;         ///< a power of two, at most LANEWISE_SCRATCH_ALIGN
  std::span<const std::uint64_t> local;  ///< bytes of local memory of each argument
  Queue* queue = nullptr;                ///< from whose budget the launch takes its memory
};

/// The same as `make_launch` for the kernel of a block. Errors: CL_INVALID_KERNEL_ARGS (another number of arguments),
/// CL_INVALID_ARG_SIZE, CL_OUT_OF_RESOURCES (local memory, groups), CL_OUT_OF_HOST_MEMORY, CLK_DEVICE_QUEUE_FULL.
Result<WorkPtr> make_block_launch(const Kernel& block, const Device& device, const NdRange& range,
                                  const BlockArguments& arguments);

}  // namespace lanewise

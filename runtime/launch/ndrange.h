// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernel launches: from checked sizes and the kernel's current arguments to a work whose pieces are work-groups.
#pragma once

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <optional>

#include "runtime/core/device.h"
#include "runtime/exec/work.h"
#include "runtime/launch/local_size.h"
#include "src/base/result.h"

namespace lanewise {

class Kernel;

/// The index space as enqueued. Unused dimensions hold offset 0, global 1.
struct NdRange {
  unsigned dims = 1;
  Sizes offset{};
  Sizes global{1, 1, 1};
  std::optional<Sizes> local;  ///< empty: the driver chooses
  /// No work-items at all: the command succeeds without running anything.
  [[nodiscard]] bool empty() const { return global[0] == 0 || global[1] == 0 || global[2] == 0; }
};

/// The checks of API 5.10 that need the kernel and the device: CL_INVALID_WORK_GROUP_SIZE, CL_INVALID_WORK_ITEM_SIZE.
Result<void> check_local_size(const Kernel& kernel, const Device& device, const NdRange& range);

/// The local size of a launch: the one given, or the one chosen. `range` is not empty and has been checked.
Sizes local_size_of(const Kernel& kernel, const Device& device, const NdRange& range);

/// Takes a snapshot of the kernel's arguments. Errors: CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_ARGS,
/// CL_MISALIGNED_SUB_BUFFER_OFFSET, CL_OUT_OF_RESOURCES (local memory; more work-groups than can be numbered),
/// CL_OUT_OF_HOST_MEMORY.
Result<WorkPtr> make_launch(const Kernel& kernel, const Device& device, const NdRange& range);

}  // namespace lanewise

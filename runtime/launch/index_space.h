// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Index spaces of launches: what the application gives, the checks of it, and the local size (API 5.10).
#pragma once

#include <CL/cl.h>

#include <optional>

#include "runtime/core/device.h"
#include "src/base/result.h"
#include "src/base/sizes.h"

namespace lanewise {

class Kernel;

/// The index space as enqueued. Unused dimensions have offset 0 and global size 1.
struct NdRange {
  unsigned dims = 1;
  Sizes offset{};
  Sizes global{1, 1, 1};
  std::optional<Sizes> local;  ///< empty: the driver chooses
  /// Whether there are no work-items: the command then succeeds without running anything.
  [[nodiscard]] bool empty() const { return global[0] == 0 || global[1] == 0 || global[2] == 0; }
};

/// An index space that a kernel may be launched with on a device. The local size is computed here, once for a launch.
struct CheckedRange {
  NdRange given;
  /// The given local size, or the one that the driver has chosen. Of no meaning if there are no work-items and the kernel
  /// requires none.
  Sizes local{1, 1, 1};
};

/// The checks of API 5.10 that need the kernel and the device. Errors: CL_INVALID_WORK_GROUP_SIZE,
/// CL_INVALID_WORK_ITEM_SIZE.
Result<CheckedRange> check_range(const Kernel& kernel, const Device& device, const NdRange& range);

/// The sizes with which the kernel's code runs such a launch: in the order of its dimensions
/// (NDRangeShape::first_dimension), and with the local size that suits it (launched_local_size).
struct CodeRange {
  unsigned dims = 1;
  Sizes offset{};
  Sizes global{1, 1, 1};
  Sizes local{1, 1, 1};
};
CodeRange range_in_code(const Kernel& kernel, const Device& device, const CheckedRange& range);

}  // namespace lanewise

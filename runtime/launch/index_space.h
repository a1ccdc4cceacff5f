// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Index spaces of launches: the values that the application gives, their checks, and the local size (API 5.10).
#pragma once

#include <CL/cl.h>

#include <optional>

#include "runtime/core/device.h"
#include "src/base/result.h"
#include "src/base/sizes.h"

namespace lanewise {

class Kernel;

/// The index space as enqueued, in work-items. Unused dimensions have offset 0 and global size 1.
struct NdRange {
  unsigned dims = 1;  ///< 1 to 3
  Sizes offset{};
  Sizes global{1, 1, 1};
  std::optional<Sizes> local;  ///< empty: the driver chooses
  /// Whether there are no work-items. The command then succeeds without running anything.
  [[nodiscard]] bool empty() const { return global[0] == 0 || global[1] == 0 || global[2] == 0; }
};

/// An index space that a kernel may be launched with on a device, with the local size of the launch.
struct CheckedRange {
  NdRange given;
  /// The given local size, or the driver's choice. Undefined if there are no work-items and the kernel requires no
  /// local size.
  Sizes local{1, 1, 1};
};

/// Does the checks of API 5.10 that need the kernel and the device. Errors: CL_INVALID_WORK_GROUP_SIZE,
/// CL_INVALID_WORK_ITEM_SIZE.
Result<CheckedRange> check_range(const Kernel& kernel, const Device& device, const NdRange& range);

/// The sizes with which the kernel's code runs a launch, in work-items: in the order of the code's dimensions
/// (NDRangeShape::first_dimension), and with the local size that suits the code (launched_local_size).
struct CodeRange {
  unsigned dims = 1;
  Sizes offset{};
  Sizes global{1, 1, 1};
  Sizes local{1, 1, 1};
};
CodeRange range_in_code(const Kernel& kernel, const Device& device, const CheckedRange& range);

}  // namespace lanewise

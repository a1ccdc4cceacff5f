// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Chooses the local size if the application gives none (API 5.10), also for clGetKernelSuggestedLocalWorkSize.
#pragma once

#include <cstdint>

#include "include/lanewise/compiler_abi.h"
#include "runtime/core/device.h"
#include "src/base/sizes.h"

namespace lanewise {

/// @param max_items    CL_KERNEL_WORK_GROUP_SIZE of this kernel on the device
/// @param dims         1 to 3
/// @param global       work-items per dimension, each at least 1; 1 for unused dimensions
/// @param non_uniform  whether the last group of a dimension may be smaller; otherwise the result divides `global`
/// Returns the kernel's required size if it has one, or a row of the sub-groups that it requires. Otherwise a size within the device's limits whose x is a multiple
/// of 16 if possible, small enough that every compute unit gets several groups.
Sizes suggest_local_size(const abi::KernelInfo& info, const DeviceFacts& facts, std::uint64_t max_items, unsigned dims,
                         const Sizes& global, bool non_uniform);

/// The local size with which a launch runs for which the application has given `given`, which is legal. Where the kernel
/// cannot tell and runs several rows of work-items at once, groups of fewer rows become groups of several: a matrix
/// product in groups of 64 x 1 would read its columns once for each row.
Sizes launched_local_size(const abi::KernelInfo& info, const DeviceFacts& facts, std::uint64_t max_items, unsigned dims,
                          const Sizes& global, bool non_uniform, const Sizes& given);

}  // namespace lanewise

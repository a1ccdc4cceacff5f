// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Chooses local sizes for launches without one (API 5.10) and for clGetKernelSuggestedLocalWorkSize.
#pragma once

#include <cstdint>

#include "include/lanewise/compiler_abi.h"
#include "runtime/core/device.h"
#include "src/base/sizes.h"

namespace lanewise {

/// The local size for a launch without one. A kernel's required size comes first, then a row of its required number of
/// sub-groups. Other kernels get a size within the device's limits whose x is a multiple of 16 if possible, small
/// enough that every compute unit gets several groups.
/// @param max_items    CL_KERNEL_WORK_GROUP_SIZE of this kernel on the device, in work-items
/// @param dims         1 to 3
/// @param global       work-items per dimension, each at least 1; 1 for unused dimensions
/// @param non_uniform  whether the last group of a dimension may be smaller; otherwise the result divides `global`
Sizes suggest_local_size(const abi::KernelInfo& info, const DeviceFacts& facts, std::uint64_t max_items, unsigned dims,
                         const Sizes& global, bool non_uniform);

/// The local size with which a launch runs if the application has given the legal size `given`. They differ only where
/// the kernel cannot observe it and its code runs several rows of work-items at once: groups with fewer rows then
/// become groups with several. A matrix product in groups of 64 x 1 would read its columns once for each row.
/// Parameters: as for `suggest_local_size`.
Sizes launched_local_size(const abi::KernelInfo& info, const DeviceFacts& facts, std::uint64_t max_items, unsigned dims,
                          const Sizes& global, bool non_uniform, const Sizes& given);

}  // namespace lanewise

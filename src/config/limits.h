// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Limits of options that set a limit of the device.
#pragma once

#include <cstdint>

namespace lanewise {

/// LANEWISE_LOCAL_MEMORY: no less than a device must have (API table 5), and no more than launches are made for.
inline constexpr std::uint64_t kLeastLocalMemory = std::uint64_t{32} << 10U;
inline constexpr std::uint64_t kMostLocalMemory = std::uint64_t{64} << 20U;

/// LANEWISE_MEMORY: an application gets no smaller device than the specification allows (API table 5: a buffer of 128
/// MiB). How much there can be depends on the process.
inline constexpr std::uint64_t kLeastMemory = std::uint64_t{128} << 20U;

/// LANEWISE_GROUP_SIZE, in work-items: the largest work-group of the device.
inline constexpr std::uint32_t kMostGroupSize = 4096;

}  // namespace lanewise

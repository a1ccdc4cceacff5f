// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The layout of areas of scratch memory.
#pragma once

#include <cstdint>

#include "include/lanewise/kernel_abi.h"
#include "src/base/rounding.h"

namespace lanewise {

/// The offset of the next area of scratch memory after `bytes` bytes: `bytes` rounded up to LANEWISE_SCRATCH_ALIGN.
constexpr std::uint64_t align_scratch(std::uint64_t bytes) {
  return round_up(bytes, LANEWISE_SCRATCH_ALIGN);
}

}  // namespace lanewise

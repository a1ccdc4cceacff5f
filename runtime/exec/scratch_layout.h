// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The layout of areas of scratch memory.
#pragma once

#include <cstdint>

#include "include/lanewise/kernel_abi.h"

namespace lanewise {

/// The offset of the next area of scratch memory after `bytes` bytes: `bytes` rounded up to LANEWISE_SCRATCH_ALIGN.
constexpr std::uint64_t align_scratch(std::uint64_t bytes) {
  return (bytes + LANEWISE_SCRATCH_ALIGN - 1) / LANEWISE_SCRATCH_ALIGN * LANEWISE_SCRATCH_ALIGN;
}

}  // namespace lanewise

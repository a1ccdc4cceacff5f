// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where areas of scratch memory lie.
#pragma once

#include <cstdint>

#include "include/lanewise/kernel_abi.h"

namespace lanewise {

/// Where the next area of scratch memory may begin, from `bytes` on.
constexpr std::uint64_t align_scratch(std::uint64_t bytes) {
  return (bytes + LANEWISE_SCRATCH_ALIGN - 1) / LANEWISE_SCRATCH_ALIGN * LANEWISE_SCRATCH_ALIGN;
}

}  // namespace lanewise

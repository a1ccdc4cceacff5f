// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the driver itself reads of a SPIR-V module, without LLVM: whether it is one, whether it declares only what this
/// device takes, and its specialisation constants.
///
/// Source: SPIR-V 1.6 revision 2, 2.3 (physical layout) and 2.4 (logical layout); OpenCL SPIR-V environment, chapter 4.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "src/base/bytes.h"
#include "src/base/result.h"

namespace lanewise {

struct SpirvModule {
  Bytes words;                                  ///< in this machine's byte order
  std::map<std::uint32_t, unsigned> constants;  ///< SpecId -> bytes of its value; 1 for bool
};

/// Reads a module of either byte order. Error: CL_INVALID_VALUE with the reason, for everything that is not a module of
/// SPIR-V 1.0 to 1.6 for kernels on this device as far as headers, the order of sections and the words of instructions
/// tell. The bodies of functions are for the validator. Takes any input; time and memory are linear in its size.
Result<SpirvModule> read_spirv(std::span<const std::uint8_t> bytes);

/// The highest version of SPIR-V that is read, as minor version of 1.
inline constexpr unsigned kHighestSpirvMinor = 6;

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The driver's own reader of SPIR-V modules, without LLVM: whether the bytes are a module, whether it declares only
/// capabilities and extensions that this device supports, and its specialisation constants.
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

/// Reads a module of either byte order. Error: CL_INVALID_VALUE with the reason, if header, order of sections or
/// instructions show that it is not a module of SPIR-V 1.0 to 1.6 for kernels on this device. The validator checks the
/// bodies of functions. Takes any input; time and memory are linear in its size.
Result<SpirvModule> read_spirv(std::span<const std::uint8_t> bytes);

/// The highest supported version of SPIR-V is 1 with this minor version.
inline constexpr unsigned kHighestSpirvMinor = 6;

}  // namespace lanewise

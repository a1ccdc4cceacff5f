// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The driver's own reader of SPIR-V modules, without LLVM. It checks that the bytes are a module that declares only
/// capabilities and extensions of this device, and finds the specialisation constants.
///
/// Source: SPIR-V 1.6 revision 2, 2.3 (physical layout) and 2.4 (logical layout); OpenCL SPIR-V environment, chapter 4.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>

#include "src/base/bytes.h"
#include "src/base/result.h"

namespace lanewise {

/// A module that has been read.
struct SpirvModule {
  Bytes words;                                  ///< the module in this machine's byte order
  std::map<std::uint32_t, unsigned> constants;  ///< SpecId -> bytes of its value; 1 for bool
};

/// Reads a module of either byte order. Takes any input; time and memory are linear in its size. The validator checks
/// the bodies of functions later. Errors: CL_INVALID_VALUE with the reason, if the header, the order of sections or the
/// instructions show that the bytes are not a module of SPIR-V 1.0 to 1.6 for kernels on this device.
Result<SpirvModule> read_spirv(std::span<const std::uint8_t> bytes);

/// Whether modules may declare the extension.
bool is_spirv_extension(std::string_view name);

/// The minor number of the highest supported version of SPIR-V, which is 1.6.
inline constexpr unsigned kHighestSpirvMinor = 6;

}  // namespace lanewise

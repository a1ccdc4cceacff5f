// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The verdict of SPIRV-Tools on a module.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace lanewise::spirv {

/// Which rule of SPIR-V the module breaks; empty if none, or where this was built without the library. The library
/// knows every capability and extension that the runtime accepts (include/lanewise/spirv_surface.def). `module` is in
/// this machine's byte order.
std::string fault_of(std::span<const std::uint8_t> module);

}  // namespace lanewise::spirv

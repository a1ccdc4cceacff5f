// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The verdict of SPIRV-Tools on a module.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace lanewise::spirv {

/// Why the module breaks a rule of SPIR-V; empty if it does not, or where this was built without the library. Every
/// capability and extension that the runtime lets through (include/lanewise/spirv_surface.def) is known to the library
/// of Debian 12. `module` is in this machine's byte order.
std::string fault_of(std::span<const std::uint8_t> module);

}  // namespace lanewise::spirv

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Capabilities of SPIR-V that producers use and this device lacks: SPIRV_MISSING_CAPABILITY of
/// include/lanewise/spirv_surface.def. A program can be made of a module that has them; its builds say why they fail.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace lanewise {

/// For the log of a build: the first such capability of a module that `read_spirv` has taken, and the reason. Empty:
/// there is none.
std::string missing_capability(std::span<const std::uint8_t> module);

/// The same for one capability, by its number.
std::string why_missing(std::uint32_t capability);

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The SPIR-V translator marks functions and variables that it has made itself with a linkage of its own (2147483646),
/// which is in no specification: for example `__translate_ocl_memory_order`, where the order of an atomic is not
/// constant. Without a linkage they have the same meaning for every reader.
///
///     OpDecorate %f LinkageAttributes "f" 2147483646    ; before; nothing after
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lanewise::spirv {

/// The words of the module, in this machine's byte order, without such decorations. Takes any bytes; those that are no
/// instructions stay as they are.
std::vector<std::uint32_t> without_private_linkage(std::span<const std::uint8_t> module);

}  // namespace lanewise::spirv

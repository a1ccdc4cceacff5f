// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// printf of OpenCL C (6.15.14): the conversion of the records that kernels write (kernel_abi.h) to text.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace lanewise {

/// Appends the text of one call. `records` and `count` are the operands of lanewise_services::print. False: the format
/// or an argument is not legal. A specification that cannot be converted is copied as written. May throw
/// std::bad_alloc.
bool format_print(std::string& out, const char* format, std::span<const std::uint8_t> records, std::uint32_t count);

}  // namespace lanewise

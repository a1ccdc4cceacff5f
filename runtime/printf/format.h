// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// printf of OpenCL C (6.15.14): turns the records that kernels write (kernel_abi.h) into text.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace lanewise {

/// Appends the text of one call. `records` and `count` are those of `lanewise_services::print`. False if the format or
/// an argument is not legal; a specification that cannot be converted is copied as written. May throw std::bad_alloc.
bool format_print(std::string& out, const char* format, std::span<const std::uint8_t> records, std::uint32_t count);

}  // namespace lanewise

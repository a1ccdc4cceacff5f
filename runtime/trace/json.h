// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// JSON texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanewise::trace {

/// Appends a text between quotes. Bytes that are not UTF-8 become the characters of Latin-1.
void append_quoted(std::string& out, std::string_view text);

/// Appends nanoseconds as microseconds with three decimals.
void append_microseconds(std::string& out, std::uint64_t ns);

}  // namespace lanewise::trace

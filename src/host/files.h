// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Small text files of /proc and /sys.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lanewise::host {

/// The first `limit` bytes of a file; nothing: it cannot be read. The limit is deliberate: Linux generates
/// /proc/cpuinfo during the read, and the first page is enough.
std::optional<std::string> read_text(const std::string& path, std::size_t limit = 4096);

/// The number at the start of a file or text: decimal, or hexadecimal after "0x". Nothing: there is none.
std::optional<std::uint64_t> read_number(const std::string& path);
std::optional<std::uint64_t> parse_number(std::string_view text);

/// The text without leading, trailing and repeated blanks.
std::string collapse_spaces(std::string_view text);

}  // namespace lanewise::host

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Files that the user of an application chooses by an option: LANEWISE_TRACE and LANEWISE_CHECK_LOG.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace lanewise::file {

/// The path of the file that an option names: %p in it is the number of this process, and it is absolute, because the
/// application may change its working directory.
std::string chosen_path(const std::string& option);

/// Why `write_chosen` would fail; empty: nothing speaks against it.
std::string fault_of_chosen(const std::string& path);

/// Writes the file whole or not at all. A device or a pipe that is there (/dev/stderr) is not replaced but written to.
/// False: any error, which errno names.
bool write_chosen(const std::string& path, std::span<const std::uint8_t> bytes);

}  // namespace lanewise::file

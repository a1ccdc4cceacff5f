// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Physical memory behind the application's addresses.
#pragma once

#include <cstddef>

namespace lanewise::host {

/// Whether the system can do what `commit` does (Linux 5.14).
bool can_commit() noexcept;

/// Puts physical memory behind every page of [begin, begin + size) without changing what is there, as accesses would.
/// `writable`: as writes would, which gives private pages their own memory. False: a page is not mapped, or an access
/// would fail (no right to it, the end of a file).
bool commit(const void* begin, std::size_t size, bool writable) noexcept;

}  // namespace lanewise::host

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Physical memory for the application's addresses.
#pragma once

#include <cstddef>

namespace lanewise::host {

/// Whether the system can do what `commit` does (Linux 5.14).
bool can_commit() noexcept;

/// Gives every page of [begin, begin + size) physical memory, as accesses would, without changing the content. False: a
/// page is not mapped, or an access would fail (no right to it, the end of a file).
/// @param writable  as writes would, which gives private pages memory of their own
bool commit(const void* begin, std::size_t size, bool writable) noexcept;

}  // namespace lanewise::host

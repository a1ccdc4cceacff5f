// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Copies and fills past the caches, for amounts that would only push everything else out of them.
///
/// Measured on two Zen 4 cores with 32 MiB of third-level cache, in pieces of 256 KiB, best of 30 (GB/s, plain memcpy
/// against streaming): 8 MiB 30 / 25, 16 MiB 21 / 22, 64 MiB 13 / 18, 128 MiB 9.4 / 18. So they pay as soon as what is
/// read and written exceeds the last-level cache.
#pragma once

#include <cstddef>
#include <span>

namespace lanewise {

/// Whether a command that touches `bytes` (read and written together) should stream.
bool worth_streaming(std::size_t bytes);

/// memcpy. When it returns, other threads that synchronise with this one see the bytes.
void stream_copy(std::byte* to, const std::byte* from, std::size_t size);

/// Repeats `line` over `size` bytes. Its length is a multiple of 64.
void stream_fill(std::byte* to, std::size_t size, std::span<const std::byte> line);

}  // namespace lanewise

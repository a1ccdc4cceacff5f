// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Copies and fills with streaming stores, which bypass the caches, for amounts that would evict everything else.
///
/// Measured on two Zen 4 cores with 32 MiB of third-level cache, in pieces of 256 KiB, best of 30 (GB/s, plain memcpy /
/// streaming): 8 MiB 30 / 25, 16 MiB 21 / 22, 64 MiB 13 / 18, 128 MiB 9.4 / 18. Streaming is faster as soon as the
/// bytes read and written together exceed the last-level cache.
#pragma once

#include <cstddef>
#include <span>

namespace lanewise {

/// Whether a command that accesses `bytes` bytes (read and written together) should stream.
bool worth_streaming(std::size_t bytes);

/// Copies like memcpy. After its return, other threads that synchronise with this one see the bytes.
void stream_copy(std::byte* to, const std::byte* from, std::size_t size);

/// Repeats `line`, whose size is a multiple of 64 bytes, over `size` bytes.
void stream_fill(std::byte* to, std::size_t size, std::span<const std::byte> line);

}  // namespace lanewise

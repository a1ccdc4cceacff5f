// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory of whole pages for buffers, images and large shared allocations. Some freed blocks are kept for reuse,
/// because mapping memory and accessing it first costs far more than copying the content of most blocks. In
/// applications with AddressSanitizer no block is kept, and the memory around the requested bytes is poisoned.
#pragma once

#include <cstddef>

namespace lanewise {

/// A block: a mapping of its own. Its content is zero or that of an earlier block of this process. Large blocks ask for
/// huge pages.
struct Pages {
  std::byte* data = nullptr;  ///< null: out of memory
  std::size_t bytes = 0;      ///< requested size, rounded up to a class of sizes (by at most 1/8 or a page)
};

/// The size, in bytes, of the block that `take_pages` returns for this many bytes.
std::size_t page_class(std::size_t bytes) noexcept;

/// Takes a block of at least `bytes` bytes. The thread that uses a new mapping accesses it first, which places it on
/// that thread's memory node. Thread-safe; the lock inside is innermost.
Pages take_pages(std::size_t bytes) noexcept;
void give_pages(const Pages& pages) noexcept;

/// Returns all kept blocks to the system. Called at the end of a context, so that an application that has released all
/// objects has its memory back.
void drop_kept_pages() noexcept;

/// The limits of kept blocks: their bytes together, and their number. They bound the memory of an application that has
/// released its buffers.
inline constexpr std::size_t kMostKeptBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMostKeptBlocks = 1024;

/// Blocks from this size on have huge pages and a limit of their own. While one is kept, the system may take its memory
/// back whenever it runs short (MADV_FREE), which costs a microsecond for each MiB. The limit is an eighth of the
/// machine's memory, and at most kMostLentBytes. Larger blocks are never kept.
inline constexpr std::size_t kLeastLentBytes = std::size_t{4} << 20;
inline constexpr std::size_t kMostLentBytes = std::size_t{1} << 30;

/// Bytes of all kept blocks.
std::size_t kept_page_bytes() noexcept;

}  // namespace lanewise

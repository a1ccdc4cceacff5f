// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory of whole pages for buffers, images and large shared allocations. Some freed blocks are kept for reuse,
/// because mapping memory and touching it first costs far more than copying what most of them hold.
#pragma once

#include <cstddef>

namespace lanewise {

/// A mapping of its own. Its contents are zero or those of an earlier block of this process; large ones ask for huge
/// pages.
struct Pages {
  std::byte* data = nullptr;  ///< null: there is no memory
  std::size_t bytes = 0;      ///< the requested size, rounded up to a class of sizes (at most by 1/8 or a page)
};

/// The size of the block that `take_pages` returns for this many bytes.
std::size_t page_class(std::size_t bytes) noexcept;

/// At least `bytes`. A new mapping is touched first by whoever uses it, which places it on that thread's memory node.
/// Thread-safe; the lock within is innermost.
Pages take_pages(std::size_t bytes) noexcept;
void give_pages(const Pages& pages) noexcept;

/// Returns the kept blocks to the system. Called at the end of a context, so that an application that has released
/// everything has its memory back.
void drop_kept_pages() noexcept;

/// The most bytes and the most blocks that are kept, which bounds the memory of an application that has released its
/// buffers. A larger block is never kept.
inline constexpr std::size_t kMostKeptBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMostKeptBlocks = 1024;
std::size_t kept_page_bytes() noexcept;

}  // namespace lanewise

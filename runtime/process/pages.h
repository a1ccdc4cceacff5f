// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory of whole pages for buffers, images and large shared allocations, some of which is kept for the next one that
/// asks: a mapping and its first touch cost far more than the copy of what most of them hold.
#pragma once

#include <cstddef>

namespace lanewise {

/// A mapping of its own. Its contents are zero or what an earlier block of this process left; huge pages are asked for
/// where it is large.
struct Pages {
  std::byte* data = nullptr;  ///< null: the memory is not to be had
  std::size_t bytes = 0;      ///< as asked for, rounded up to a whole class of sizes (at most 1/8 or a page more)
};

/// The bytes of the block that is taken for so many.
std::size_t page_class(std::size_t bytes) noexcept;

/// At least `bytes`. A new mapping is touched first by whoever uses it, which places it on that thread's memory node.
/// Thread-safe; the lock within is innermost.
Pages take_pages(std::size_t bytes) noexcept;
void give_pages(const Pages& pages) noexcept;

/// Gives what is kept back to the system, as at the end of a context: an application that has let go of everything
/// finds its memory as it was.
void drop_kept_pages() noexcept;

/// Bytes that are kept at most, and blocks: what is larger is never kept. Both bound what an application sees that has
/// released its buffers.
inline constexpr std::size_t kMostKeptBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMostKeptBlocks = 1024;
std::size_t kept_page_bytes() noexcept;

}  // namespace lanewise

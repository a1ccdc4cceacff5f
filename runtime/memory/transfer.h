// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The works of memory commands. A work is divided into pieces, so that a large copy or fill uses every core.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "runtime/exec/work.h"
#include "runtime/layout/rect.h"
#include "runtime/memory/mem_object.h"

namespace lanewise {

/// One side of a copy: an address, and what keeps its memory alive until the command has ended.
struct CopySide {
  std::byte* address = nullptr;
  Ref<MemObject> buffer{};                        ///< null: not in a memory object
  std::shared_ptr<const void> storage = nullptr;  ///< null: in a memory object, or the application's own memory

  static CopySide in(MemObject& object, std::size_t offset) {
    return {.address = object.data() + offset, .buffer = Ref<MemObject>(object)};
  }
  /// In memory that its owners share.
  static CopySide in(std::shared_ptr<const void> storage, std::byte* address) {
    return {.address = address, .storage = std::move(storage)};
  }
  static CopySide host(const void* pointer) {
    return {.address = const_cast<std::byte*>(static_cast<const std::byte*>(pointer))};
  }
  /// Work::imported of this side. The application's own memory may be a map of an imported buffer.
  [[nodiscard]] Imported imported() const { return imported_at(address); }
};

/// Copies `size` bytes like memmove. The API layer has refused forbidden overlaps (CL_MEM_COPY_OVERLAP); other overlaps
/// (a map's own memory, the host memory of a CL_MEM_USE_HOST_PTR buffer) are moved on one thread.
WorkPtr make_copy(CopySide destination, CopySide source, std::size_t size);

/// Copies a region row by row. Both places point to the first byte of their region. Overlapping regions are moved on
/// one thread. With equal pitches the result is that of memmove; with different pitches, rows that are written before
/// they are read are copied with their new bytes.
WorkPtr make_rect_copy(CopySide destination, const Pitch& destination_pitch, CopySide source, const Pitch& source_pitch,
                       const Region& region);

/// Repeats `pattern` (1 to 128 bytes) over `size` bytes, a multiple of the pattern's size.
WorkPtr make_fill(CopySide destination, std::size_t size, std::span<const std::byte> pattern);

/// Repeats `element` (1 to 16 bytes) over a region, row by row. The place points to the region's first byte.
/// `region[0]` is in bytes, a multiple of the element's size.
WorkPtr make_rect_fill(CopySide destination, const Pitch& pitch, const Region& region,
                       std::span<const std::byte> element);

/// Keeps objects alive until the command has ended, and does nothing else (map, unmap, migrate on a host device).
WorkPtr make_keep(std::vector<Ref<MemObject>> objects);

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The mapped parts of a storage. Buffers, their sub-buffers and images made from them share one list.
#pragma once

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <vector>

#include "src/base/mutex.h"

namespace lanewise {

class MemObject;

/// The byte range [begin, end) in the root buffer's storage.
struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] bool overlaps(const ByteRange& other) const { return begin < other.end && other.begin < end; }
};

/// A part of one mip level of an image, in elements.
struct ImageBox {
  unsigned level = 0;
  std::array<std::size_t, 3> origin{};
  std::array<std::size_t, 3> region{};
  [[nodiscard]] bool overlaps(const ImageBox& other) const;
};

/// The maps of one storage. Every function takes the mapped object, whose root owns the list. Thread-safe.
class Maps {
 public:
  /// Adds a map of the object's bytes [offset, offset + size) and returns their address. Null: two maps for writing
  /// would overlap (API 5.2.4).
  std::byte* add(const MemObject& object, std::size_t offset, std::size_t size, cl_map_flags flags);
  /// Adds a map of a part of an image. Maps of different objects are compared by their enclosing byte ranges.
  std::byte* add(const MemObject& image, const ImageBox& box, cl_map_flags flags);
  /// Removes the newest map of this object that returned `address`. False: there is none.
  bool remove(const MemObject& object, const void* address);
  [[nodiscard]] cl_uint count(const MemObject& object) const;

 private:
  struct Map {
    const MemObject* object;
    ByteRange range;
    bool writes;
    ImageBox box;  ///< images only
    [[nodiscard]] bool clashes(const Map& other) const;
  };
  std::byte* book(const Map& wanted);

  mutable Mutex mutex_;  ///< innermost; nothing is called under it
  std::vector<Map> maps_ GUARDED_BY(mutex_);
};

}  // namespace lanewise

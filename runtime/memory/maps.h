// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Who has mapped which part of a storage: parents, sub-buffers and images of one storage see each other's maps.
#pragma once

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

namespace lanewise {

class MemObject;

/// Byte range [begin, end) in the root buffer's storage.
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

/// The maps of one storage. Every function takes the object that is mapped; its root owns this list. Thread-safe.
class Maps {
 public:
  /// Books a map of the object's bytes [offset, offset + size) and returns their address; null if it would overlap
  /// another region mapped for writing (spec 5.2.4).
  std::byte* add(const MemObject& object, std::size_t offset, std::size_t size, cl_map_flags flags);
  /// The same for a part of an image. Images of one storage are compared by the bytes that they enclose.
  std::byte* add(const MemObject& image, const ImageBox& box, cl_map_flags flags);
  /// Takes back the newest map of this object that returned `address`. False if there is none.
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

  mutable std::mutex mutex_;  ///< guards maps_; innermost lock, nothing is called under it
  std::vector<Map> maps_;
};

}  // namespace lanewise

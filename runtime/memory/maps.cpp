// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/maps.h"

#include <algorithm>
#include <iterator>

#include "runtime/memory/mem_object.h"

namespace lanewise {

namespace {

bool writes(cl_map_flags flags) {
  return (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
}

}  // namespace

bool ImageBox::overlaps(const ImageBox& other) const {
  if (level != other.level) return false;
  for (std::size_t i = 0; i < 3; ++i)
    if (origin[i] >= other.origin[i] + other.region[i] || other.origin[i] >= origin[i] + region[i]) return false;
  return true;
}

bool Maps::Map::clashes(const Map& other) const {
  // Only two *write* maps may not overlap; any number of read maps may share a region (spec 5.2.4).
  if (!writes || !other.writes || !range.overlaps(other.range)) return false;
  return object != other.object || object->image() == nullptr || box.overlaps(other.box);
}

std::byte* Maps::book(const Map& wanted) {
  const MutexLock lock(mutex_);
  if (std::any_of(maps_.begin(), maps_.end(), [&](const Map& map) { return map.clashes(wanted); })) return nullptr;
  maps_.push_back(wanted);
  return wanted.object->root().data() + wanted.range.begin;
}

std::byte* Maps::add(const MemObject& object, std::size_t offset, std::size_t size, cl_map_flags flags) {
  return book({&object, object.range(offset, size), writes(flags), {}});
}

std::byte* Maps::add(const MemObject& image, const ImageBox& box, cl_map_flags flags) {
  const ImageLayout& layout = *image.image();
  const ImageLevel& level = layout.levels[box.level];
  std::size_t begin = 0;
  std::size_t extent = 0;
  rect_begin({box.origin[0] * layout.element, box.origin[1], box.origin[2]}, level.stride, begin);
  rect_extent({box.region[0] * layout.element, box.region[1], box.region[2]}, level.stride, extent);
  return book({&image, image.range(level.offset + begin, extent), writes(flags), box});
}

bool Maps::remove(const MemObject& object, const void* address) {
  const std::byte* storage = object.root().data();
  const MutexLock lock(mutex_);
  const auto found = std::find_if(maps_.rbegin(), maps_.rend(), [&](const Map& map) {
    return map.object == &object && storage + map.range.begin == address;
  });
  if (found == maps_.rend()) return false;
  maps_.erase(std::next(found).base());
  return true;
}

cl_uint Maps::count(const MemObject& object) const {
  const MutexLock lock(mutex_);
  return static_cast<cl_uint>(
      std::count_if(maps_.begin(), maps_.end(), [&](const Map& map) { return map.object == &object; }));
}

}  // namespace lanewise

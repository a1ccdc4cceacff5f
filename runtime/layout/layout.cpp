// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/layout/layout.h"

#include <algorithm>

#include "src/base/rounding.h"

namespace lanewise {

namespace {

constexpr std::size_t kLevelAlign = 64;  ///< bytes

/// The extent of level 0, in elements, in the coordinates of commands.
std::array<std::size_t, 3> extent_of(const cl_image_desc& desc) {
  switch (desc.image_type) {
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
      return {desc.image_width, desc.image_array_size, 1};
    case CL_MEM_OBJECT_IMAGE2D:
      return {desc.image_width, desc.image_height, 1};
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
      return {desc.image_width, desc.image_height, desc.image_array_size};
    case CL_MEM_OBJECT_IMAGE3D:
      return {desc.image_width, desc.image_height, desc.image_depth};
    default:
      return {desc.image_width, 1, 1};
  }
}

/// API 5.3.1: half the size of the level before, rounded down; arrays keep their number of images.
std::array<std::size_t, 3> next_extent(const std::array<std::size_t, 3>& extent, cl_mem_object_type type) {
  const auto half = [](std::size_t size) { return std::max<std::size_t>(size / 2, 1); };
  auto out = extent;
  out[0] = half(extent[0]);
  if (type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY || type == CL_MEM_OBJECT_IMAGE3D)
    out[1] = half(extent[1]);
  if (type == CL_MEM_OBJECT_IMAGE3D) out[2] = half(extent[2]);
  return out;
}

bool multiply(std::size_t a, std::size_t b, std::size_t& out) {
  return !__builtin_mul_overflow(a, b, &out);
}

}  // namespace

unsigned ImageLayout::coordinates() const {
  switch (desc.image_type) {
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    case CL_MEM_OBJECT_IMAGE2D:
      return 2;
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    case CL_MEM_OBJECT_IMAGE3D:
      return 3;
    default:
      return 1;
  }
}

bool lay_out(const cl_image_format& format, std::size_t element, const cl_image_desc& desc, ImageLayout& out) {
  out = {format, desc, element, {}, 0};
  auto extent = extent_of(desc);
  const unsigned count = std::max<cl_uint>(desc.num_mip_levels, 1);
  const bool one_dimensional_array = desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  for (unsigned i = 0; i < count; ++i, extent = next_extent(extent, desc.image_type)) {
    ImageLevel level;
    level.extent = extent;
    level.offset = out.bytes;
    std::size_t row = i == 0 ? desc.image_row_pitch : 0;
    std::size_t slice = i == 0 ? desc.image_slice_pitch : 0;
    if (row == 0 && !multiply(extent[0], element, row)) return false;
    if (slice == 0 && !multiply(row, one_dimensional_array ? 1 : extent[1], slice)) return false;
    level.stride = one_dimensional_array ? Pitch{slice, slice} : Pitch{row, slice};
    std::size_t size = 0;
    if (!rect_extent({extent[0] * element, extent[1], extent[2]}, level.stride, size)) return false;
    // The next level begins at an offset that is aligned for every element.
    if (__builtin_add_overflow(out.bytes, round_up(size, kLevelAlign), &out.bytes)) return false;
    if (i == 0) {
      out.desc.image_row_pitch = row;
      out.desc.image_slice_pitch = slice;
      if (count == 1) out.bytes = size;
    }
    out.levels.push_back(level);
  }
  return true;
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The layout of an image in memory: extents, strides and offset of every mip level.
#pragma once

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <vector>

#include "runtime/layout/rect.h"

namespace lanewise {

/// One mip level. Coordinates are those of `origin` and `region` in commands: y is the layer of a 1D array, z the layer
/// of a 2D array.
struct ImageLevel {
  std::array<std::size_t, 3> extent{1, 1, 1};  ///< elements
  Pitch stride{};                              ///< bytes from one y to the next, and from one z to the next
  std::size_t offset = 0;                      ///< bytes from the start of the image
};

/// The layout of an image.
struct ImageLayout {
  cl_image_format format{};
  cl_image_desc desc{};     ///< the given description with all pitches filled in
  std::size_t element = 0;  ///< bytes of an element
  std::vector<ImageLevel> levels;
  std::size_t bytes = 0;  ///< bytes of all levels, without the padding after the last row

  [[nodiscard]] bool is_array() const {
    return desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY || desc.image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  }
  /// Whether the image has a slice pitch: 3D images and arrays.
  [[nodiscard]] bool has_slices() const { return desc.image_type == CL_MEM_OBJECT_IMAGE3D || is_array(); }
  /// Number of values of a command's `origin` that are coordinates: 1 to 3. The next value is the mip level.
  [[nodiscard]] unsigned coordinates() const;
};

/// Lays out an image whose description has been checked. Pitches of 0 mean tightly packed. False: a size overflows.
/// @param element  bytes of an element
bool lay_out(const cl_image_format& format, std::size_t element, const cl_image_desc& desc, ImageLayout& out);

}  // namespace lanewise

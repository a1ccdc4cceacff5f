// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The description of an image that kernels read (include/lanewise/image_abi.h).
#pragma once

#include <vector>

#include "include/lanewise/image_abi.h"
#include "runtime/layout/layout.h"

namespace lanewise {

/// How texels of a supported format are stored, for the built-in library.
lanewise_texel describe_texel(const cl_image_format& format);

/// Constant, with a fixed address, as long as the image lives.
class ImageDescription {
 public:
  /// @param data  address of the first element
  ImageDescription(const ImageLayout& layout, std::byte* data);
  ImageDescription(const ImageDescription&) = delete;
  ImageDescription& operator=(const ImageDescription&) = delete;
  ~ImageDescription() = default;

  /// What an image argument of a kernel points to.
  [[nodiscard]] const lanewise_image* get() const { return &image_; }

 private:
  std::vector<lanewise_image_level> levels_;
  lanewise_image image_{};
};

/// An image in memory.
struct PlacedImage : ImageLayout {
  PlacedImage(ImageLayout where, std::byte* data) : ImageLayout(std::move(where)), description(*this, data) {}

  ImageDescription description;
};

}  // namespace lanewise

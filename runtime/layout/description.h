// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The description of an image for kernels (include/lanewise/image_abi.h).
#pragma once

#include <vector>

#include "include/lanewise/image_abi.h"
#include "runtime/layout/layout.h"

namespace lanewise {

/// The storage of texels of a supported format, for the built-in library.
lanewise_texel describe_texel(const cl_image_format& format);

/// The description of one image. It is constant and has a fixed address as long as the image exists.
class ImageDescription {
 public:
  /// @param data  address of the first element
  ImageDescription(const ImageLayout& layout, std::byte* data);
  ImageDescription(const ImageDescription&) = delete;
  ImageDescription& operator=(const ImageDescription&) = delete;
  ~ImageDescription() = default;

  /// The structure that an image argument of a kernel points to.
  [[nodiscard]] const lanewise_image* get() const { return &image_; }

 private:
  std::vector<lanewise_image_level> levels_;
  lanewise_image image_{};
};

/// An image in memory: its layout and its description.
struct PlacedImage : ImageLayout {
  PlacedImage(ImageLayout where, std::byte* data) : ImageLayout(std::move(where)), description(*this, data) {}

  ImageDescription description;
};

}  // namespace lanewise

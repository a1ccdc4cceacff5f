// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A chain of kernels on images, compared with the same filters in plain C++.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opencl.h"

namespace demo {

/// A picture with four bytes for each pixel: red, green, blue, alpha.
struct Picture {
  std::size_t width;
  std::size_t height;
  std::vector<std::uint8_t> bytes;
};

struct ChainResult {
  Picture picture;        ///< width and height are those of the given picture divided by 1.6
  double seconds = 0;     ///< time of the kernels
  int largest_error = 0;  ///< largest difference of a byte from plain C++
};

/// Smooths, sharpens, shrinks and tones a picture.
ChainResult image_chain(Session& session, const Picture& from);

}  // namespace demo

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A chain of kernels on images, beside the same in plain C++.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opencl.h"

namespace demo {

/// A picture of four bytes a pixel: red, green, blue, alpha.
struct Picture {
  std::size_t width;
  std::size_t height;
  std::vector<std::uint8_t> bytes;
};

struct ChainResult {
  Picture picture;        ///< as large as the given one in both directions, divided by 1.6
  double seconds = 0;     ///< of the kernels
  int largest_error = 0;  ///< of a byte, against plain C++
};

/// Smooths, sharpens, shrinks and tones a picture.
ChainResult image_chain(Session& session, const Picture& from);

}  // namespace demo

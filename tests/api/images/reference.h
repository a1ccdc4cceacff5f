// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A reference for kernels: reading and writing of images as the specification describes it (OpenCL C 6.15.15, SPIR-V
/// environment 7), in double precision and without regard to speed.
#pragma once

#include <CL/cl.h>

#include <array>
#include <cstdint>
#include <vector>

namespace lanewise::test {

using Colour = std::array<double, 4>;  ///< red, green, blue, alpha; integers exactly

enum class Kind { floating, signed_integer, unsigned_integer };
Kind kind_of(const cl_image_format& format);

/// Bytes of an element, from the names of order and type.
std::size_t texel_bytes(const cl_image_format& format);

/// The colour that an element reads as, before filters.
Colour decode(const cl_image_format& format, const unsigned char* texel);
Colour border_of(const cl_image_format& format);

/// The stored bits of one channel, not decoded, and which channel of a colour it is: 'r', 'g', 'b', 'a', 'x'.
struct StoredChannel {
  char name;
  std::uint32_t bits;
};
std::vector<StoredChannel> stored_channels(const cl_image_format& format, const unsigned char* texel);

/// Whether `texel` is a correct result of writing `colour` in a kernel. NaN and infinity may become anything.
bool may_store(const cl_image_format& format, const unsigned char* texel, const Colour& colour);

/// An image without padding in memory. The layers of a 1D array are in y, those of a 2D array in z.
struct ReferenceImage {
  cl_image_format format;
  std::array<int, 3> extent;
  int dims;     ///< axes that are filtered
  bool layers;  ///< the next axis is the layer
  std::vector<unsigned char> bytes;

  [[nodiscard]] Colour texel(int x, int y, int z) const;
};

struct ReferenceSampler {
  bool normalised;
  cl_addressing_mode addressing;
  bool linear;
};

/// The result of a read at `at`. `valid` is false where the specification leaves it open: coordinates that are NaN or
/// infinite, no addressing mode and a place outside, infinities or NaN among the filtered texels.
struct Sample {
  Colour colour{};
  double largest = 0;  ///< the largest magnitude that contributes to it
  bool valid = true;
};
Sample sample(const ReferenceImage& image, const ReferenceSampler& sampler, const std::array<float, 3>& at);

}  // namespace lanewise::test

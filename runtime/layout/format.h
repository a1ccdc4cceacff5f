// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Image formats (API 5.3.1.1): which combinations exist, how large an element is, and how a colour is stored.
#pragma once

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace lanewise {

/// Bytes of the largest element: four channels of four bytes.
inline constexpr std::size_t kLargestElement = 16;

/// Bytes of one element (1 to 16); nothing if the format is not supported.
std::optional<std::size_t> element_bytes(const cl_image_format& format);

/// For each stored channel of a supported format, which value it holds: 0 to 3 for red, green, blue, alpha; below 0 for
/// padding.
std::span<const signed char> channel_sources(const cl_image_format& format);

/// The number of bits of a type that stores its value in the upper bits of a 16-bit channel; 0 for other types.
unsigned high_bits(cl_channel_type type);

/// Whether the specification defines the combination of order and type, supported or not.
bool is_legal(const cl_image_format& format);

/// All supported formats. Every type of image and every kind of access has the same ones, except that only 2D images
/// and their arrays have CL_DEPTH.
std::span<const cl_image_format> supported_formats();

/// The type of the values of a colour, in clEnqueueFillImage and in kernels.
enum class ColourKind { floating, signed_integer, unsigned_integer };
ColourKind colour_kind(cl_channel_type type);

/// Makes an element from a colour: four floats, ints or unsigned ints in the order red, green, blue, alpha (CL_DEPTH:
/// one float). Floats are converted by the rules of OpenCL C 8.3, to nearest even; integers are saturated.
/// @param out  `element_bytes(format)` bytes
void pack_colour(const cl_image_format& format, const void* colour, std::span<std::byte> out);

/// Whether the colours of a supported order are stored in the sRGB colour space.
bool is_srgb(cl_channel_order order);

/// Whether an image of order `view` may share the data of one of order `data` (API table 26).
bool compatible_orders(cl_channel_order view, cl_channel_order data);

}  // namespace lanewise

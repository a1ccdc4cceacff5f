// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Image formats (API 5.3.1.1): the legal and supported combinations, the size of an element, the storage of a colour.
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

/// Bytes of one element, 1 to 16; nothing: the format is not supported, not even for images of OpenGL.
std::optional<std::size_t> element_bytes(const cl_image_format& format);

/// The value in each stored channel of a supported format: 0 to 3 for red, green, blue, alpha; below 0 for padding.
std::span<const signed char> channel_sources(const cl_image_format& format);

/// The number of value bits of a type that uses the upper bits of a 16-bit channel; 0 for other types.
unsigned high_bits(cl_channel_type type);

/// Whether the specification defines the combination of order and type, supported or not.
bool is_legal(const cl_image_format& format);

/// All supported formats. They are the same for every type of image and every kind of access, except that only 2D
/// images and their arrays have CL_DEPTH.
std::span<const cl_image_format> supported_formats();

/// The type of a colour's values in clEnqueueFillImage and in kernels.
enum class ColourKind { floating, signed_integer, unsigned_integer };
ColourKind colour_kind(cl_channel_type type);

/// Makes an element from a colour. Floats are converted by the rules of OpenCL C 8.3, to nearest even; integers are
/// saturated.
/// @param colour  four floats, ints or unsigned ints: red, green, blue, alpha (CL_DEPTH: one float)
/// @param out     `element_bytes(format)` bytes
void pack_colour(const cl_image_format& format, const void* colour, std::span<std::byte> out);

/// Whether the colours of a supported order are stored in the sRGB colour space.
bool is_srgb(cl_channel_order order);

/// Whether an image of channel order `view` may share the data of an image of order `data` (API table 26).
bool compatible_orders(cl_channel_order view, cl_channel_order data);

}  // namespace lanewise

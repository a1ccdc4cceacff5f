// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Image formats (API 5.3.1.1): which combinations exist, how large an element is, and how a colour becomes one.
#pragma once

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace lanewise {

/// Largest element, bytes: four channels of four.
inline constexpr std::size_t kLargestElement = 16;

/// Bytes of one element (1 to 16); nothing if the format is not supported.
std::optional<std::size_t> element_bytes(const cl_image_format& format);

/// Of a supported format, where the value of each stored channel comes from: red, green, blue, alpha are 0 to 3; below 0:
/// from nowhere.
std::span<const signed char> channel_sources(const cl_image_format& format);

/// Of a channel of 16 bits that has its value in the upper ones: how many they are. 0: another type.
unsigned high_bits(cl_channel_type type);

/// Whether the specification knows the combination of order and type, supported or not.
bool is_legal(const cl_image_format& format);

/// The formats that images of `type` may have under access flags `flags`; the same for all of them but where said.
std::span<const cl_image_format> supported_formats();

/// What the colour argument of clEnqueueFillImage and of kernels' writes is made of.
enum class ColourKind { floating, signed_integer, unsigned_integer };
ColourKind colour_kind(cl_channel_type type);

/// An element from a colour: four floats, ints or unsigned ints in the order red, green, blue, alpha (CL_DEPTH: one
/// float). Floats are converted by the rules of OpenCL C 8.3, to nearest even; integers are saturated.
/// @param out  `element_bytes(format)` bytes
void pack_colour(const cl_image_format& format, const void* colour, std::span<std::byte> out);

/// Whether an image of order `view` may share the data of one of order `data` (API table 26).
bool compatible_orders(cl_channel_order view, cl_channel_order data);

}  // namespace lanewise

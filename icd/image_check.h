// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The rules of image descriptions, and of the regions that commands name in images (API 5.3).
#pragma once

#include <optional>

#include "icd/boundary.h"
#include "runtime/core/context.h"
#include "runtime/exec/queue.h"
#include "runtime/memory/mem_object.h"

namespace lanewise {

bool is_image_type(cl_mem_object_type type);

/// One of the extents of a description.
using Extent = std::size_t cl_image_desc::*;
inline constexpr Extent kExtents[] = {&cl_image_desc::image_width, &cl_image_desc::image_height,
                                      &cl_image_desc::image_depth, &cl_image_desc::image_array_size};
bool has_extent(cl_mem_object_type type, Extent extent);
/// The device's limit of an extent that `type` has, in elements or images.
std::size_t largest_extent(const DeviceFacts& facts, cl_mem_object_type type, Extent extent);

/// The description without what its type does not use, which counts as not given.
cl_image_desc relevant(const cl_image_desc& given);

/// Whether an image of these extents has so many mip levels (API 5.3.1, "Mipmap Images").
bool levels_fit(const cl_image_desc& desc);

/// What an image with the data of a buffer asks of the buffer's address and of its pitches: bytes, powers of two.
struct BufferAlignment {
  std::size_t base, row, slice;
};
/// @param element  bytes, a power of two
BufferAlignment alignment_in_buffer(const DeviceFacts& facts, std::size_t element);

/// Fills in the pitches of an image with the data of a buffer where they are 0; `desc` is relevant and its extents are
/// within the limits. False if a given pitch is too small or not aligned (API 5.3.1.2, cl_ext_image_from_buffer).
bool complete_pitches(const DeviceFacts& facts, std::size_t element, cl_image_desc& desc);

/// How large that buffer must be, pitches filled in. Nothing if it overflows.
std::optional<std::size_t> bytes_in_buffer(const cl_image_desc& desc);

/// What the limits of images are; the same for all devices.
const DeviceFacts& image_facts(const Context& context);

/// Bytes of one element. Throws CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_IMAGE_FORMAT_NOT_SUPPORTED.
std::size_t checked_element(const cl_image_format* format);

/// An image that may be made: flags complete, layout computed.
struct ImagePlan {
  cl_mem_flags flags;
  ImageLayout layout;
  MemObject* source;  ///< the buffer or image whose data it shares; null: none
};

/// Checks everything that clCreateImage checks. Throws CL_INVALID_OPERATION, CL_INVALID_VALUE,
/// CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_INVALID_IMAGE_DESCRIPTOR, CL_INVALID_IMAGE_SIZE, CL_INVALID_HOST_PTR,
/// CL_IMAGE_FORMAT_NOT_SUPPORTED.
ImagePlan plan_image(const Context& context, cl_mem_flags flags, const cl_image_format* format,
                     const cl_image_desc* desc, const void* host_ptr);

/// An image of a command in `queue`. Throws CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT, CL_INVALID_OPERATION.
MemObject& image_of(const Queue& queue, cl_mem handle);

/// The part of `image` that a command names; `origin` has one more value where it also tells the mip level. Throws
/// CL_INVALID_VALUE, CL_INVALID_MIP_LEVEL.
ImageBox box_of(const MemObject& image, const std::size_t* origin, const std::size_t* region);

/// The same in bytes: where it begins in the image's data, how it goes on, how large it is.
struct ImageBytes {
  std::size_t begin;
  Pitch pitch;
  Region region;  ///< x in bytes
};
ImageBytes bytes_of(const MemObject& image, const ImageBox& box);

}  // namespace lanewise

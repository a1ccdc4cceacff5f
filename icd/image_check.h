// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The rules for image descriptions and for the regions of images in commands (API 5.3).
#pragma once

#include <optional>

#include "icd/boundary.h"
#include "runtime/core/context.h"
#include "runtime/exec/queue.h"
#include "runtime/memory/mem_object.h"

namespace lanewise {

bool is_image_type(cl_mem_object_type type);

/// An extent of a description.
using Extent = std::size_t cl_image_desc::*;
inline constexpr Extent kExtents[] = {&cl_image_desc::image_width, &cl_image_desc::image_height,
                                      &cl_image_desc::image_depth, &cl_image_desc::image_array_size};
bool has_extent(cl_mem_object_type type, Extent extent);
/// The device's limit for an extent that `type` has: elements, or layers of an array.
std::size_t largest_extent(const DeviceFacts& facts, cl_mem_object_type type, Extent extent);

/// The description with 0 in every field that its type does not use.
cl_image_desc relevant(const cl_image_desc& given);

/// Whether an image of the description's extents can have its number of mip levels (API 5.3.1, "Mipmap Images").
bool levels_fit(const cl_image_desc& desc);

/// The alignment that an image made from a buffer requires of the buffer's address and of its pitches, in bytes.
struct BufferAlignment {
  std::size_t base, row, slice;
};
/// The alignment for elements of `element` bytes, a power of two.
BufferAlignment alignment_in_buffer(const DeviceFacts& facts, std::size_t element);

/// Fills in the pitches of an image made from a buffer that are 0. `desc` comes from `relevant`, and its extents are
/// within the limits. False: a given pitch is too small or not aligned (API 5.3.1.2, cl_ext_image_from_buffer).
bool complete_pitches(const DeviceFacts& facts, std::size_t element, cl_image_desc& desc);

/// The bytes that the buffer must have for a description whose pitches are filled in. Nothing: the number overflows.
std::optional<std::size_t> bytes_in_buffer(const cl_image_desc& desc);

/// The device facts with the limits of images, which are the same for all devices of a context.
const DeviceFacts& image_facts(const Context& context);

/// The bytes of one element. Throws CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_IMAGE_FORMAT_NOT_SUPPORTED.
std::size_t checked_element(const cl_image_format* format);

/// The memory of a new image: any, or external memory (cl_khr_external_memory).
enum class ImageMemory { any, external };

/// A description that has passed all checks.
struct ImagePlan {
  cl_mem_flags flags;  ///< complete flags
  ImageLayout layout;
  MemObject* source;  ///< the buffer or image whose data the image shares; null: none
};

/// Does all checks of clCreateImage. Throws CL_INVALID_VALUE, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
/// CL_INVALID_IMAGE_DESCRIPTOR, CL_INVALID_IMAGE_SIZE, CL_INVALID_HOST_PTR, CL_IMAGE_FORMAT_NOT_SUPPORTED.
ImagePlan plan_image(const Context& context, cl_mem_flags flags, const cl_image_format* format,
                     const cl_image_desc* desc, const void* host_ptr, ImageMemory memory = ImageMemory::any);

/// The image of a command, in the queue's context. Throws CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT.
MemObject& image_of(const Queue& queue, cl_mem handle);

/// The part of `image` that a command names. If the image has mip levels, the value of `origin` after the coordinates
/// is the level. Throws CL_INVALID_VALUE, CL_INVALID_MIP_LEVEL.
ImageBox box_of(const MemObject& image, const std::size_t* origin, const std::size_t* region);

/// An ImageBox in bytes.
struct ImageBytes {
  std::size_t begin;  ///< bytes from the start of the image's data
  Pitch pitch;
  Region region;  ///< bytes, rows, slices
};
ImageBytes bytes_of(const MemObject& image, const ImageBox& box);

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The rules of image descriptions, and of the regions that commands name in images (API 5.3).
#pragma once

#include "icd/boundary.h"
#include "runtime/core/context.h"
#include "runtime/exec/queue.h"
#include "runtime/memory/mem_object.h"

namespace lanewise {

bool is_image_type(cl_mem_object_type type);

/// Whether a device of the context supports images.
bool has_images(const Context& context);

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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Images (API 5.3) on a device without them: CL_DEVICE_IMAGE_SUPPORT is CL_FALSE. No image object can exist, so what
/// remains are the handles that can be checked and the error that each function names for such a device.
#include "icd/cast.h"
#include "runtime/core/context.h"
#include "runtime/exec/queue.h"
#include "runtime/memory/mem_object.h"

using namespace lanewise;

namespace {

/// API 5.3.1: "CL_INVALID_OPERATION if there are no devices in context that support images".
cl_mem refuse_creation(const char* function, cl_context context, cl_int* errcode_ret) {
  return entry_create(function, errcode_ret, [&]() -> cl_mem {
    as<Context>(context);
    throw ApiError{CL_INVALID_OPERATION, "no device of the context supports images"};
  });
}

/// API 5.3.3 to 5.3.7: "CL_INVALID_OPERATION if the device associated with command_queue does not support images".
[[noreturn]] void refuse_command(cl_command_queue queue, cl_mem first, cl_mem second) {
  as<Queue>(queue);
  as<MemObject>(first);
  as<MemObject>(second);
  throw ApiError{CL_INVALID_OPERATION, "the device does not support images"};
}

}  // namespace

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags, const cl_image_format*,
                                              const cl_image_desc*, void*, cl_int* errcode_ret) {
  return refuse_creation(__func__, context, errcode_ret);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context, const cl_mem_properties*, cl_mem_flags,
                                                            const cl_image_format*, const cl_image_desc*, void*,
                                                            cl_int* errcode_ret) {
  return refuse_creation(__func__, context, errcode_ret);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags, const cl_image_format*, size_t,
                                                size_t, size_t, void*, cl_int* errcode_ret) {
  return refuse_creation(__func__, context, errcode_ret);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags, const cl_image_format*, size_t,
                                                size_t, size_t, size_t, size_t, void*, cl_int* errcode_ret) {
  return refuse_creation(__func__, context, errcode_ret);
}

// API 5.3.2: without image support the list is empty.
CL_API_ENTRY cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags,
                                                           cl_mem_object_type image_type, cl_uint num_entries,
                                                           cl_image_format* image_formats, cl_uint* num_image_formats) {
  return entry(__func__, [&] {
    as<Context>(context);
    const bool known = image_type == CL_MEM_OBJECT_IMAGE1D || image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER ||
                       image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY || image_type == CL_MEM_OBJECT_IMAGE2D ||
                       image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY || image_type == CL_MEM_OBJECT_IMAGE3D;
    require(known, CL_INVALID_VALUE, "image_type is no image");
    require(image_formats == nullptr || num_entries != 0, CL_INVALID_VALUE, "num_entries is 0");
    if (num_image_formats != nullptr) *num_image_formats = 0;
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetImageInfo(cl_mem, cl_image_info, size_t, void*, size_t*) {
  return entry(__func__, [] { throw ApiError{CL_INVALID_MEM_OBJECT, "not an image"}; });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool, const size_t*,
                                                   const size_t*, size_t, size_t, void*, cl_uint, const cl_event*,
                                                   cl_event*) {
  return entry(__func__, [&] { refuse_command(queue, image, image); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool, const size_t*,
                                                    const size_t*, size_t, size_t, const void*, cl_uint,
                                                    const cl_event*, cl_event*) {
  return entry(__func__, [&] { refuse_command(queue, image, image); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void*, const size_t*,
                                                   const size_t*, cl_uint, const cl_event*, cl_event*) {
  return entry(__func__, [&] { refuse_command(queue, image, image); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue queue, cl_mem src, cl_mem dst, const size_t*,
                                                   const size_t*, const size_t*, cl_uint, const cl_event*, cl_event*) {
  return entry(__func__, [&] { refuse_command(queue, src, dst); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem src, cl_mem dst,
                                                           const size_t*, const size_t*, size_t, cl_uint,
                                                           const cl_event*, cl_event*) {
  return entry(__func__, [&] { refuse_command(queue, src, dst); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem src, cl_mem dst, size_t,
                                                           const size_t*, const size_t*, cl_uint, const cl_event*,
                                                           cl_event*) {
  return entry(__func__, [&] { refuse_command(queue, src, dst); });
}

CL_API_ENTRY void* CL_API_CALL clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool, cl_map_flags,
                                                 const size_t*, const size_t*, size_t*, size_t*, cl_uint,
                                                 const cl_event*, cl_event*, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&]() -> void* { refuse_command(queue, image, image); });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Images: creation and formats (API 5.3.1, 5.3.2).
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <utility>

#include "icd/cast.h"
#include "icd/image_check.h"
#include "icd/memory_flags.h"
#include "icd/memory_properties.h"
#include "icd/selection.h"
#include "runtime/core/context.h"
#include "runtime/layout/format.h"
#include "runtime/memory/mem_object.h"

using namespace lanewise;

namespace {

cl_mem create(Context& context, MemoryProperties properties, cl_mem_flags flags, const cl_image_format* format,
              const cl_image_desc* desc, void* host_ptr) {
  const auto fd = properties.fd;
  ImagePlan plan =
      plan_image(context, flags, format, desc, host_ptr, fd.has_value() ? ImageMemory::external : ImageMemory::any);
  std::optional<Storage> storage;
  if (fd.has_value()) storage.emplace(external_storage(*fd, flags, plan.layout.bytes, host_ptr, CL_INVALID_IMAGE_SIZE));
  auto made = unwrap(MemObject::create_image(context, plan.flags, std::move(plan.layout), host_ptr, plan.source,
                                             std::move(properties.list), std::move(storage)));
  if (fd.has_value()) close(*fd);  // it belongs to the driver now
  return made.detach()->handle();
}

/// clCreateImage2D and clCreateImage3D report in one code what clCreateImage reports in two.
template <class Body>
cl_mem with_size_errors(Body&& body) {
  try {
    return body();
  } catch (const ApiError& error) {
    if (error.code == CL_INVALID_IMAGE_DESCRIPTOR) throw ApiError{CL_INVALID_IMAGE_SIZE, error.reason};
    throw;
  }
}

constexpr cl_mem_flags kFormatFlags =
    kKernelAccess | kHostAccess | kHostPointer | CL_MEM_KERNEL_READ_AND_WRITE | CL_MEM_IMMUTABLE_EXT;

}  // namespace

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                              const cl_image_format* image_format, const cl_image_desc* image_desc,
                                              void* host_ptr, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret,
                      [&] { return create(live_context(context), {}, flags, image_format, image_desc, host_ptr); });
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context, const cl_mem_properties* properties,
                                                            cl_mem_flags flags, const cl_image_format* image_format,
                                                            const cl_image_desc* image_desc, void* host_ptr,
                                                            cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto& owner = live_context(context);
    return create(owner, read_image_properties(owner, properties), flags, image_format, image_desc, host_ptr);
  });
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
                                                const cl_image_format* image_format, size_t image_width,
                                                size_t image_height, size_t image_row_pitch, void* host_ptr,
                                                cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = image_width;
    desc.image_height = image_height;
    desc.image_row_pitch = image_row_pitch;
    return with_size_errors([&] { return create(live_context(context), {}, flags, image_format, &desc, host_ptr); });
  });
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags,
                                                const cl_image_format* image_format, size_t image_width,
                                                size_t image_height, size_t image_depth, size_t image_row_pitch,
                                                size_t image_slice_pitch, void* host_ptr, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto& owner = live_context(context);
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE3D;
    desc.image_width = image_width;
    desc.image_height = image_height;
    desc.image_depth = image_depth;
    desc.image_row_pitch = image_row_pitch;
    desc.image_slice_pitch = image_slice_pitch;
    require(image_depth > 1, CL_INVALID_IMAGE_SIZE, "image_depth is not above 1");
    return with_size_errors([&] { return create(owner, {}, flags, image_format, &desc, host_ptr); });
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                                           cl_mem_object_type image_type, cl_uint num_entries,
                                                           cl_image_format* image_formats, cl_uint* num_image_formats) {
  return entry(__func__, [&] {
    static_cast<void>(as<Context>(context));
    require(is_image_type(image_type), CL_INVALID_VALUE, "image_type is not a type of image");
    require((flags & ~kFormatFlags) == 0 && std::popcount(flags & kKernelAccess) <= 1, CL_INVALID_VALUE, "flags");
    require(image_formats == nullptr || num_entries != 0, CL_INVALID_VALUE, "num_entries is 0");
    std::vector<cl_image_format> formats;
    for (const cl_image_format& format : supported_formats()) {
      // cl_khr_depth_images: 2D images and arrays of them only.
      const bool depth = format.image_channel_order == CL_DEPTH;
      const bool flat = image_type == CL_MEM_OBJECT_IMAGE2D || image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
      if (!depth || flat) formats.push_back(format);
    }
    if (image_formats != nullptr)
      std::copy_n(formats.begin(), std::min<std::size_t>(num_entries, formats.size()), image_formats);
    if (num_image_formats != nullptr) *num_image_formats = static_cast<cl_uint>(formats.size());
  });
}

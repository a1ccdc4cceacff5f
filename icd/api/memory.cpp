// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Buffers and sub-buffers: creation, lifetime (spec 5.2.1, 5.5.1).
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "icd/buffer_check.h"
#include "icd/cast.h"
#include "icd/memory_flags.h"
#include "icd/memory_properties.h"
#include "icd/selection.h"
#include "runtime/core/context.h"
#include "runtime/core/device.h"
#include "runtime/memory/mem_object.h"

using namespace lanewise;

namespace {

cl_mem create_buffer(Context& owner, MemoryProperties properties, cl_mem_flags flags, std::size_t size,
                     void* host_ptr) {
  check_memory_flags(flags);
  flags = with_default_access(flags);
  check_buffer_size(owner, size);
  if (properties.fd.has_value()) {
    auto storage = external_storage(*properties.fd, flags, size, host_ptr, CL_INVALID_BUFFER_SIZE);
    auto made = unwrap(MemObject::create(owner, flags, size, nullptr, std::move(properties.list), std::move(storage)));
    close(*properties.fd);
    return made.detach()->handle();
  }
  check_host_pointer(flags, host_ptr);
  if ((flags & CL_MEM_USE_HOST_PTR) != 0) {
    const auto allocation = owner.allocations().find(host_ptr);
    require(!allocation || allocation->kind != AllocationKind::svm || size <= allocation->left(host_ptr),
            CL_INVALID_BUFFER_SIZE, "larger than the rest of the SVM allocation");
  }
  return unwrap(MemObject::create(owner, flags, size, host_ptr, std::move(properties.list))).detach()->handle();
}

}  // namespace

CL_API_ENTRY cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host_ptr,
                                               cl_int* errcode_ret) {
  return entry_create<Cancellation::no_point>(
      __func__, errcode_ret, [&] { return create_buffer(live_context(context), {}, flags, size, host_ptr); });
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context, const cl_mem_properties* properties,
                                                             cl_mem_flags flags, size_t size, void* host_ptr,
                                                             cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto& owner = live_context(context);
    return create_buffer(owner, read_buffer_properties(owner, properties), flags, size, host_ptr);
  });
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags,
                                                  cl_buffer_create_type buffer_create_type,
                                                  const void* buffer_create_info, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto& parent = as<MemObject>(buffer);
    require_live(parent.context());
    // API 5.2.1: a sub-buffer can't be cut again.
    require(parent.parent() == nullptr && is_buffer(parent), CL_INVALID_MEM_OBJECT,
            "the parent is an image or a sub-buffer");
    const cl_mem_flags complete = inherited_flags(parent.flags(), flags);
    require(buffer_create_type == CL_BUFFER_CREATE_TYPE_REGION, CL_INVALID_VALUE, "unknown buffer_create_type");
    require(buffer_create_info != nullptr, CL_INVALID_VALUE, "buffer_create_info is NULL");
    const auto region = *static_cast<const cl_buffer_region*>(buffer_create_info);
    require(region.size != 0, CL_INVALID_BUFFER_SIZE, "region size is 0");
    require(region.origin <= parent.size() && region.size <= parent.size() - region.origin, CL_INVALID_VALUE,
            "region is out of bounds");
    const auto aligned = [&](const Ref<Device>& device) {
      return region.origin % (device->facts().mem_base_align_bits / 8) == 0;
    };
    const auto devices = parent.context().devices();
    require(std::any_of(devices.begin(), devices.end(), aligned), CL_MISALIGNED_SUB_BUFFER_OFFSET,
            "origin does not have the alignment of any device");
    return MemObject::create_sub_buffer(parent, complete, region.origin, region.size).detach()->handle();
  });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainMemObject(cl_mem memobj) {
  return entry_quick(__func__, [&] { retain<MemObject>(memobj); });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseMemObject(cl_mem memobj) {
  return entry(__func__, [&] { release<MemObject>(memobj); });
}

CL_API_ENTRY cl_int CL_API_CALL clSetMemObjectDestructorCallback(cl_mem memobj,
                                                                 void(CL_CALLBACK* pfn_notify)(cl_mem, void*),
                                                                 void* user_data) {
  return entry(__func__, [&] {
    auto& object = as<MemObject>(memobj);
    require(pfn_notify != nullptr, CL_INVALID_VALUE, "pfn_notify is NULL");
    object.destructor_callbacks().add(pfn_notify, user_data);
  });
}

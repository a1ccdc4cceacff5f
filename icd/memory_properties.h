// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The properties of buffers (API 5.2.1), external memory among them (cl_khr_external_memory).
#pragma once

#include <CL/cl.h>

#include <optional>
#include <vector>

#include "icd/boundary.h"
#include "runtime/core/context.h"
#include "runtime/memory/mem_object.h"

namespace lanewise {

/// The properties of a new memory object.
struct MemoryProperties {
  std::vector<cl_mem_properties> list;  ///< the given list with the closing 0; empty: none was given
  std::optional<int> fd;                ///< descriptor of the external memory; nothing: the memory is not external
};

/// Read the properties of a buffer or an image. Throw CL_INVALID_PROPERTY, CL_INVALID_DEVICE.
MemoryProperties read_buffer_properties(const Context& context, const cl_mem_properties* list);
MemoryProperties read_image_properties(const Context& context, const cl_mem_properties* list);

/// Maps the memory of a descriptor for an object with these flags and this host_ptr. Throws CL_INVALID_VALUE,
/// CL_INVALID_HOST_PTR, `too_small` if the memory has fewer than `size` bytes, and the other errors of Storage::share.
Storage external_storage(int fd, cl_mem_flags flags, std::size_t size, const void* host_ptr, cl_int too_small);

/// The device that an object of external memory is for; null: all devices. Nothing: the memory is not external.
std::optional<Device*> external_device(const MemObject& object);

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The properties of buffers (API 5.2.1): memory of others among them (cl_khr_external_memory).
#pragma once

#include <CL/cl.h>

#include <optional>
#include <vector>

#include "icd/boundary.h"
#include "runtime/core/context.h"
#include "runtime/memory/mem_object.h"

namespace lanewise {

struct BufferProperties {
  std::vector<cl_mem_properties> list;  ///< as given, with the closing 0; empty if none was given
  std::optional<int> fd;                ///< the memory to use
};

/// Throws CL_INVALID_PROPERTY, CL_INVALID_DEVICE.
BufferProperties read_buffer_properties(const Context& context, const cl_mem_properties* list);

/// The device that an object with memory of others is for, null: all of its context; nothing if its memory is its own.
std::optional<Device*> external_device(const MemObject& object);

}  // namespace lanewise

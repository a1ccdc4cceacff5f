// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The common checks of all commands on buffers: linear and rectangular transfers, maps, copies to and from images.
#pragma once

#include <CL/cl.h>

#include <algorithm>
#include <bit>
#include <cstddef>

#include "icd/cast.h"
#include "runtime/core/context.h"
#include "runtime/core/device.h"
#include "runtime/exec/queue.h"
#include "runtime/memory/mem_object.h"

namespace lanewise {

/// The buffer of a command, in the queue's context. Throws CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT.
inline MemObject& buffer_of(const Queue& queue, cl_mem handle) {
  auto& buffer = as<MemObject>(handle);
  require(is_buffer(buffer), CL_INVALID_MEM_OBJECT, "not a buffer");
  require(&buffer.context() == &queue.context(), CL_INVALID_CONTEXT, "queue and buffer are of different contexts");
  require_acquired(buffer);
  return buffer;
}

/// Checks that the bytes [offset, offset + size) are in the buffer. Throws CL_INVALID_VALUE.
inline void check_bounds(const MemObject& buffer, std::size_t offset, std::size_t size) {
  require(offset <= buffer.size() && size <= buffer.size() - offset, CL_INVALID_VALUE, "region is out of bounds");
}

/// Checks the size of a new buffer in bytes (API 5.2.1). Throws CL_INVALID_BUFFER_SIZE.
inline void check_buffer_size(const Context& context, std::size_t size) {
  require(size != 0, CL_INVALID_BUFFER_SIZE, "size is 0");
  const auto fits = [&](const Ref<Device>& device) { return size <= device->facts().max_alloc_size; };
  require(std::any_of(context.devices().begin(), context.devices().end(), fits), CL_INVALID_BUFFER_SIZE,
          "larger than CL_DEVICE_MAX_MEM_ALLOC_SIZE");
}

/// Checks that the size of a pattern in bytes is that of an OpenCL scalar or vector type (API 5.2.3). Throws
/// CL_INVALID_VALUE.
inline void check_pattern_size(std::size_t size) {
  require(std::has_single_bit(size) && size <= 128, CL_INVALID_VALUE,
          "pattern_size is not 1, 2, 4, 8, 16, 32, 64 or 128");
}

}  // namespace lanewise

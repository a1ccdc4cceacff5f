// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/memory_properties.h"

#include <limits>
#include <utility>

#include "icd/cast.h"
#include "icd/memory_flags.h"
#include "include/lanewise/cl_compat.h"
#include "include/lanewise/external_memory.h"

namespace lanewise {

namespace {

/// Checks a list of devices and moves `at` to what follows its end marker. Which devices they are does not matter here,
/// because all devices share one memory.
void check_devices(const Context& context, const cl_mem_properties*& at) {
  require(*at != CL_MEM_DEVICE_HANDLE_LIST_END_KHR, CL_INVALID_DEVICE, "no device");
  for (; *at != CL_MEM_DEVICE_HANDLE_LIST_END_KHR; ++at) {
    const auto& device = as<Device>(reinterpret_cast<cl_device_id>(*at));
    require(context.has_device(device), CL_INVALID_DEVICE, "the device is not in the context");
  }
  ++at;
}

/// Calls `visit(name, value)` for each property; `value` points behind the name, and `visit` moves it past the value.
template <class Visit>
void walk(const cl_mem_properties* at, Visit&& visit) {
  while (*at != 0) {
    const cl_mem_properties name = *at++;
    visit(name, at);
  }
}

const cl_mem_properties* end_of_devices(const cl_mem_properties* at) {
  while (*at != CL_MEM_DEVICE_HANDLE_LIST_END_KHR) ++at;
  return at + 1;
}

}  // namespace

namespace {

MemoryProperties read(const Context& context, const cl_mem_properties* list, bool has_address) {
  MemoryProperties out;
  if (list == nullptr) return out;
  bool has_private = false;
  bool has_devices = false;
  const cl_mem_properties* end = list;
  walk(list, [&](cl_mem_properties name, const cl_mem_properties*& at) {
    switch (name) {
      case CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT:
        require(has_address, CL_INVALID_PROPERTY, "a property of buffers");
        require(!std::exchange(has_private, true), CL_INVALID_PROPERTY, "the same property twice");
        require(*at == CL_TRUE || *at == CL_FALSE, CL_INVALID_PROPERTY, "no cl_bool");
        ++at;
        break;
      case CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR:
        require(!out.fd.has_value(), CL_INVALID_PROPERTY, "the same property twice");
        require(*at <= static_cast<cl_mem_properties>(std::numeric_limits<int>::max()), CL_INVALID_PROPERTY,
                "not a file descriptor");
        out.fd = static_cast<int>(*at++);
        break;
      case CL_MEM_DEVICE_HANDLE_LIST_KHR:
        require(!std::exchange(has_devices, true), CL_INVALID_PROPERTY, "the same property twice");
        check_devices(context, at);
        break;
      default:
        throw ApiError{CL_INVALID_PROPERTY, "unknown property"};
    }
    end = at;
  });
  require(!has_devices || out.fd.has_value(), CL_INVALID_PROPERTY, "a list of devices without imported memory");
  out.list = {list, end + 1};
  return out;
}

}  // namespace

MemoryProperties read_buffer_properties(const Context& context, const cl_mem_properties* list) {
  return read(context, list, true);
}

MemoryProperties read_image_properties(const Context& context, const cl_mem_properties* list) {
  return read(context, list, false);
}

Storage external_storage(int fd, cl_mem_flags flags, std::size_t size, const void* host_ptr, cl_int too_small) {
  require((flags & kHostPointer) == 0, CL_INVALID_VALUE, "flags for memory of its own");
  require(host_ptr == nullptr, CL_INVALID_HOST_PTR, "host_ptr beside memory of others");
  auto shared = Storage::share(fd, size);
  require(shared.ok() || shared.error().code != CL_INVALID_BUFFER_SIZE, too_small, "less memory than the object needs");
  return unwrap(std::move(shared));
}

std::optional<Device*> external_device(const MemObject& object) {
  const auto& list = object.root().properties();
  if (list.empty()) return std::nullopt;
  bool external = false;
  Device* device = nullptr;
  walk(list.data(), [&](cl_mem_properties name, const cl_mem_properties*& at) {
    if (name == CL_MEM_DEVICE_HANDLE_LIST_KHR) {
      // If the list names several, any of them may use the object.
      const auto* last = end_of_devices(at);
      if (last - at == 2) device = try_as<Device>(reinterpret_cast<cl_device_id>(*at));
      at = last;
    } else {
      external = external || name == CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR;
      ++at;
    }
  });
  if (!external) return std::nullopt;
  return device;
}

}  // namespace lanewise

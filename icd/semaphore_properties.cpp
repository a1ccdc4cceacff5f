// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/semaphore_properties.h"

#include <limits>
#include <utility>

#include "icd/selection.h"
#include "include/lanewise/semaphore.h"

namespace lanewise {

namespace {

using At = const cl_semaphore_properties_khr*;

/// Reads the devices of a list and moves `at` behind its end.
Device& read_device(const Context& context, At& at) {
  std::vector<Device*> devices;
  for (; *at != CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR; ++at) {
    devices.push_back(&device_in(context, reinterpret_cast<cl_device_id>(*at)));
  }
  ++at;
  require(devices.size() == 1, CL_INVALID_DEVICE, "a semaphore is for exactly one device");
  return *devices.front();
}

/// Reads the list of handle types that can be exported later, and moves `at` behind its end. True: it names one.
bool read_exports(At& at) {
  At begin = at;
  for (; *at != CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR; ++at)
    require(*at == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, CL_INVALID_PROPERTY, "the handle type cannot be exported");
  const auto count = at - begin;
  ++at;
  require(count <= 1, CL_INVALID_VALUE, "more than one handle type");
  return count == 1;
}

int read_descriptor(At& at) {
  require(*at <= static_cast<cl_semaphore_properties_khr>(std::numeric_limits<int>::max()), CL_INVALID_PROPERTY,
          "not a file descriptor");
  return static_cast<int>(*at++);
}

}  // namespace

// `read_properties` cannot read this list, because its values have different lengths.
SemaphoreProperties read_semaphore_properties(const Context& context, const cl_semaphore_properties_khr* list) {
  require(list != nullptr, CL_INVALID_VALUE, "sema_props is NULL");
  constexpr const char* kTwice = "the same property twice";
  SemaphoreProperties out;
  bool has_exports = false;
  At at = list;
  while (*at != 0) {
    switch (*at++) {
      case CL_SEMAPHORE_TYPE_KHR:
        require(!std::exchange(out.has_type, true), CL_INVALID_PROPERTY, kTwice);
        require(*at++ == CL_SEMAPHORE_TYPE_BINARY_KHR, CL_INVALID_PROPERTY, "not a type of semaphore");
        break;
      case CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR:
        require(out.device == nullptr, CL_INVALID_PROPERTY, kTwice);
        out.device = &read_device(context, at);
        break;
      case CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
        require(!std::exchange(has_exports, true), CL_INVALID_PROPERTY, kTwice);
        out.exportable = read_exports(at);
        break;
      case CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR:
        require(!out.handle.has_value(), CL_INVALID_PROPERTY, kTwice);
        out.handle = read_descriptor(at);
        break;
      default:
        throw ApiError{CL_INVALID_PROPERTY, "unknown property"};
    }
  }
  require(out.has_type, CL_INVALID_VALUE, "the type of the semaphore is missing");
  require(!(out.handle.has_value() && has_exports), CL_INVALID_OPERATION, "an imported semaphore cannot be exported");
  require(out.device != nullptr || context.devices().size() == 1, CL_INVALID_PROPERTY,
          "the context has several devices, and the list names none");
  out.list = {list, at + 1};
  return out;
}

}  // namespace lanewise

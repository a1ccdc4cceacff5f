// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The selection of platforms and devices (API 4.1, 4.2), shared by device and context functions.
#pragma once

#include <CL/cl.h>

#include <vector>

#include "icd/cast.h"
#include "icd/dispatch.h"
#include "runtime/core/context.h"
#include "runtime/core/platform.h"

namespace lanewise {

/// The context of a handle, in which objects can be created. Throws CL_INVALID_CONTEXT, CL_CONTEXT_TERMINATED_KHR.
Context& live_context(cl_context handle);

/// The platform of a handle. The implementation defines the meaning of null (API 4.1, 4.2): here it is the only
/// platform.
inline Platform& platform_of(cl_platform_id handle) {
  return handle == nullptr ? platform() : as<Platform>(handle);
}

/// The devices of `platform` that match a device type. Throws CL_INVALID_DEVICE_TYPE, CL_DEVICE_NOT_FOUND.
std::vector<Device*> devices_of_type(Platform& platform, cl_device_type type);

/// A device of a context. Throws CL_INVALID_DEVICE.
inline Device& device_in(const Context& context, cl_device_id handle) {
  auto& device = as<Device>(handle);
  require(context.has_device(device), CL_INVALID_DEVICE, "the device is not in the context");
  return device;
}

/// Returns a list and its length by the common rules of clGetPlatformIDs and clGetDeviceIDs. Throws CL_INVALID_VALUE.
template <class Id>
void give_list(const std::vector<Id>& ids, cl_uint num_entries, Id* out, cl_uint* count_ret) {
  require(out != nullptr || count_ret != nullptr, CL_INVALID_VALUE, "both results are null");
  require(out == nullptr || num_entries != 0, CL_INVALID_VALUE, "num_entries is 0");
  if (out != nullptr) {
    for (std::size_t i = 0; i < ids.size() && i < num_entries; ++i) out[i] = ids[i];
  }
  if (count_ret != nullptr) *count_ret = static_cast<cl_uint>(ids.size());
}

}  // namespace lanewise

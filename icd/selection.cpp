// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/selection.h"

namespace lanewise {

Context& live_context(cl_context handle) {
  auto& context = as<Context>(handle);
  require_live(context);
  return context;
}

std::vector<Device*> devices_of_type(Platform& platform, cl_device_type type) {
  // API 4.2, table 4. CL_DEVICE_TYPE_ALL leaves custom devices out and is not the union of the other bits.
  constexpr cl_device_type kKnown = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                    CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
  const bool all = type == CL_DEVICE_TYPE_ALL;
  require(all || (type != 0 && (type & ~kKnown) == 0), CL_INVALID_DEVICE_TYPE, "not a device type");
  std::vector<Device*> matches;
  for (Device* device : platform.devices()) {
    const bool is_default = device == platform.devices().front() && (type & CL_DEVICE_TYPE_DEFAULT) != 0;
    if (all || is_default || (type & device->type()) != 0) matches.push_back(device);
  }
  require(!matches.empty(), CL_DEVICE_NOT_FOUND, "no device of that type");
  return matches;
}

}  // namespace lanewise

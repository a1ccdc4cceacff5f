// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Partitioning a device (API 4.3).
#include <utility>

#include "icd/cast.h"
#include "runtime/core/device.h"
#include "runtime/core/partition.h"

using namespace lanewise;

CL_API_ENTRY cl_int CL_API_CALL clCreateSubDevices(cl_device_id in_device,
                                                   const cl_device_partition_property* properties, cl_uint num_devices,
                                                   cl_device_id* out_devices, cl_uint* num_devices_ret) {
  return entry(__func__, [&] {
    auto& device = as<Device>(in_device);
    Partition plan = unwrap(plan_partition(device.units(), properties));
    require(out_devices == nullptr || num_devices >= plan.parts.size(), CL_INVALID_VALUE, "num_devices is too small");
    if (out_devices != nullptr) {
      std::vector<Ref<Device>> made;
      made.reserve(plan.parts.size());
      for (auto& part : plan.parts) made.push_back(Device::create_part(device, std::move(part), plan.type));
      for (auto& part : made) *out_devices++ = part.detach()->handle();
    }
    if (num_devices_ret != nullptr) *num_devices_ret = static_cast<cl_uint>(plan.parts.size());
  });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Partitioning a device (API 4.3), and the older form of it (cl_ext_device_fission).
#include <utility>
#include <vector>

#include "icd/cast.h"
#include "icd/fission.h"
#include "runtime/core/device.h"
#include "runtime/core/partition.h"

using namespace lanewise;

namespace {

using Property = cl_device_partition_property;

void create_parts(cl_device_id in_device, const Property* properties, cl_uint room, cl_device_id* out,
                  cl_uint* count_ret) {
  auto& device = as<Device>(in_device);
  Partition plan = unwrap(plan_partition(device.units(), properties));
  require(out == nullptr || room >= plan.parts.size(), CL_INVALID_VALUE, "num_devices is too small");
  if (out != nullptr) {
    std::vector<Ref<Device>> made;
    made.reserve(plan.parts.size());
    for (auto& part : plan.parts) made.push_back(Device::create_part(device, std::move(part), plan.type));
    for (auto& part : made) *out++ = part.detach()->handle();
  }
  if (count_ret != nullptr) *count_ret = static_cast<cl_uint>(plan.parts.size());
}

}  // namespace

CL_API_ENTRY cl_int CL_API_CALL clCreateSubDevices(cl_device_id in_device,
                                                   const cl_device_partition_property* properties, cl_uint num_devices,
                                                   cl_device_id* out_devices, cl_uint* num_devices_ret) {
  return entry(__func__, [&] { create_parts(in_device, properties, num_devices, out_devices, num_devices_ret); });
}

CL_API_ENTRY cl_int CL_API_CALL clCreateSubDevicesEXT(cl_device_id in_device,
                                                      const cl_device_partition_property_ext* properties,
                                                      cl_uint num_entries, cl_device_id* out_devices,
                                                      cl_uint* num_devices) {
  return entry(__func__, [&] {
    static_cast<void>(as<Device>(in_device));
    const auto list = core_partition(properties);
    require(out_devices == nullptr || num_entries != 0, CL_INVALID_VALUE, "num_entries is 0");
    require(out_devices != nullptr || num_devices != nullptr, CL_INVALID_VALUE, "nothing to answer");
    try {
      create_parts(in_device, list.data(), num_entries, out_devices, num_devices);
    } catch (const ApiError& error) {
      throw ApiError{fission_error(error.code, list.front()), error.reason};
    }
  });
}

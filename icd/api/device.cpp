// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Devices and the timers that they share with the host (API 4.2).
#include "icd/selection.h"
#include "src/base/clock.h"

using namespace lanewise;

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type, cl_uint num_entries,
                                               cl_device_id* devices, cl_uint* num_devices) {
  return entry(__func__, [&] {
    std::vector<cl_device_id> ids;
    for (Device* device : devices_of_type(platform_of(platform), device_type)) ids.push_back(device->handle());
    give_list(ids, num_entries, devices, num_devices);
  });
}

// API 4.3: root devices are not counted.
CL_API_ENTRY cl_int CL_API_CALL clRetainDevice(cl_device_id device) {
  return entry_quick(__func__, [&] {
    auto& target = as<Device>(device);
    if (target.parent() != nullptr) target.retain_api();
  });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseDevice(cl_device_id device) {
  return entry(__func__, [&] {
    auto& target = as<Device>(device);
    if (target.parent() != nullptr) release<Device>(device);
  });
}

// The device's clock is the host's, so one reading answers both questions exactly.
CL_API_ENTRY cl_int CL_API_CALL clGetDeviceAndHostTimer(cl_device_id device, cl_ulong* device_timestamp,
                                                        cl_ulong* host_timestamp) {
  return entry(__func__, [&] {
    as<Device>(device);
    require(device_timestamp != nullptr && host_timestamp != nullptr, CL_INVALID_VALUE, "a result is null");
    *device_timestamp = *host_timestamp = now_ns();
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetHostTimer(cl_device_id device, cl_ulong* host_timestamp) {
  return entry(__func__, [&] {
    as<Device>(device);
    require(host_timestamp != nullptr, CL_INVALID_VALUE, "host_timestamp is null");
    *host_timestamp = now_ns();
  });
}

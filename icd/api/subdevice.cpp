// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Partitioning a device (API 4.3). CL_DEVICE_PARTITION_PROPERTIES is empty, so every scheme is refused.
#include "icd/cast.h"
#include "runtime/core/device.h"

using namespace lanewise;

CL_API_ENTRY cl_int CL_API_CALL clCreateSubDevices(cl_device_id device, const cl_device_partition_property*, cl_uint,
                                                   cl_device_id*, cl_uint*) {
  return entry(__func__, [&] {
    as<Device>(device);
    throw ApiError{CL_INVALID_VALUE, "the device supports no partition scheme"};
  });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Partitioning a device into sub-devices (API 4.3): each scheme is a function from processors to sets of processors.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <span>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/host/domains.h"

namespace lanewise {

struct Partition {
  std::vector<host::CpuList> parts;  ///< one sub-device each; not empty, disjoint
  /// The value of CL_DEVICE_PARTITION_TYPE with its closing 0: the given properties, with the domain that was chosen.
  std::vector<cl_device_partition_property> type;
};

/// Partitions `units`, the processors of a device, as `properties` say (ended by 0). `root`: of the file system.
/// Errors: CL_INVALID_VALUE (no list, unknown or unsupported scheme or value), CL_DEVICE_PARTITION_FAILED (the scheme
/// is known, but the device cannot be partitioned by it), CL_INVALID_DEVICE_PARTITION_COUNT.
Result<Partition> plan_partition(std::span<const unsigned> units, const cl_device_partition_property* properties,
                                 const std::string& root = "");

/// CL_DEVICE_PARTITION_AFFINITY_DOMAIN: the domains that divide `units` into at least two sets, and
/// CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE if there is such a domain.
cl_device_affinity_domain affinity_domains(std::span<const unsigned> units, const std::string& root = "");

/// CL_DEVICE_PARTITION_PROPERTIES: the schemes that give at least two sub-devices; a single 0 if there is none.
std::vector<cl_device_partition_property> partition_schemes(std::span<const unsigned> units,
                                                            const std::string& root = "");

}  // namespace lanewise

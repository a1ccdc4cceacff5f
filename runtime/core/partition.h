// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The partitioning of a device into sub-devices (API 4.3). Each scheme is a function from processors to sets of
/// processors.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <span>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/host/domains.h"

namespace lanewise {

/// The result of a partitioning.
struct Partition {
  std::vector<host::CpuList> parts;  ///< the units of each sub-device; not empty, disjoint
  /// The value of CL_DEVICE_PARTITION_TYPE with its closing 0: the given properties, with the chosen domain.
  std::vector<cl_device_partition_property> type;
};

/// Partitions the processors of a device. Errors: CL_INVALID_VALUE (no list, unknown or unsupported scheme or value),
/// CL_DEVICE_PARTITION_FAILED (the scheme is known, but the device cannot be partitioned by it),
/// CL_INVALID_DEVICE_PARTITION_COUNT.
/// @param units       the device's processors
/// @param properties  the scheme and its values, closed by 0
/// @param root        root of the file system to read; tests give another
Result<Partition> plan_partition(std::span<const unsigned> units, const cl_device_partition_property* properties,
                                 const std::string& root = "");

/// CL_DEVICE_PARTITION_AFFINITY_DOMAIN: CL_DEVICE_AFFINITY_DOMAIN_NUMA if nodes divide `units` into at least two sets,
/// CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE if nodes or caches do. Caches can be asked for and are not listed: the
/// runtime of oneAPI up to 2024.2 knows these two domains alone, and aborts where it sees another one.
cl_device_affinity_domain affinity_domains(std::span<const unsigned> units, const std::string& root = "");

/// CL_DEVICE_PARTITION_PROPERTIES: the schemes that give at least two sub-devices; a single 0: there is none.
std::vector<cl_device_partition_property> partition_schemes(std::span<const unsigned> units,
                                                            const std::string& root = "");

}  // namespace lanewise

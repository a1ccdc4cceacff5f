// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_ext_device_fission: sub-devices before OpenCL 1.2, with other numbers for the same schemes and domains.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <vector>

#include "icd/boundary.h"

namespace lanewise {

using FissionProperties = std::vector<cl_device_partition_property_ext>;

/// Converts a list of the extension to the form of clCreateSubDevices. Throws CL_INVALID_VALUE.
std::vector<cl_device_partition_property> core_partition(const cl_device_partition_property_ext* list);

/// The extension's code for an error of a partition. `scheme` is a scheme of clCreateSubDevices.
cl_int fission_error(cl_int code, cl_device_partition_property scheme);

/// CL_DEVICE_PARTITION_TYPES_EXT, CL_DEVICE_AFFINITY_DOMAINS_EXT and CL_DEVICE_PARTITION_STYLE_EXT, converted from the
/// answers to the corresponding queries of OpenCL 1.2.
FissionProperties fission_types(const std::vector<cl_device_partition_property>& schemes);
FissionProperties fission_domains(cl_device_affinity_domain domains);
FissionProperties fission_style(const std::vector<cl_device_partition_property>& type);

}  // namespace lanewise

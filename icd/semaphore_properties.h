// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The properties of semaphores (API 5.13.2), with the handles of cl_khr_external_semaphore.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <optional>
#include <vector>

#include "icd/boundary.h"
#include "runtime/core/context.h"
#include "runtime/core/device.h"

namespace lanewise {

/// The properties that clCreateSemaphoreWithPropertiesKHR is given.
struct SemaphoreProperties {
  bool has_type = false;
  Device* device = nullptr;                       ///< the only one that may use it; null: all of the context
  std::optional<int> handle;                      ///< of the payload to import
  bool exportable = false;                        ///< handles of it can be exported
  std::vector<cl_semaphore_properties_khr> list;  ///< as given, with the closing 0
};

/// Throws CL_INVALID_VALUE, CL_INVALID_PROPERTY, CL_INVALID_DEVICE, CL_INVALID_OPERATION.
SemaphoreProperties read_semaphore_properties(const Context& context, const cl_semaphore_properties_khr* list);

}  // namespace lanewise

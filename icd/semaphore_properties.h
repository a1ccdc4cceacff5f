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

/// The properties given to clCreateSemaphoreWithPropertiesKHR.
struct SemaphoreProperties {
  bool has_type = false;
  Device* device = nullptr;                       ///< the only device that may use it; null: all of the context
  std::optional<int> handle;                      ///< handle of the payload to import
  bool exportable = false;                        ///< handles of the payload can be exported
  std::vector<cl_semaphore_properties_khr> list;  ///< the given list with the closing 0
};

/// Reads and checks the properties. Throws CL_INVALID_VALUE, CL_INVALID_PROPERTY, CL_INVALID_DEVICE,
/// CL_INVALID_OPERATION.
SemaphoreProperties read_semaphore_properties(const Context& context, const cl_semaphore_properties_khr* list);

}  // namespace lanewise

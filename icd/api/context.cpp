// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Contexts (API 4.4).
#include <CL/cl_ext.h>

#include <algorithm>

#include "icd/context_properties.h"
#include "icd/selection.h"
#include "include/lanewise/cl_compat.h"
#include "runtime/core/context.h"

using namespace lanewise;

namespace {

/// In order of first appearance, without duplicates (API 4.4, footnote: duplicate devices are ignored).
std::vector<Ref<Device>> unique_devices(std::span<const cl_device_id> handles, const Platform& owner) {
  std::vector<Ref<Device>> devices;
  for (const cl_device_id handle : handles) {
    Ref<Device> device(as<Device>(handle));
    require(&device->platform() == &owner, CL_INVALID_DEVICE, "device of another platform");
    if (std::find(devices.begin(), devices.end(), device) == devices.end()) devices.push_back(std::move(device));
  }
  return devices;
}

cl_context create(std::vector<Ref<Device>> devices, ContextProperties properties, Context::NotifyCallback notify,
                  void* user_data) {
  for (const auto& device : devices) {
    require(device->facts().available, CL_DEVICE_NOT_AVAILABLE, "the processor lacks the lowest instruction set");
  }
  ContextFeatures features;
  if (properties.can_terminate) {
    features.termination = Termination::create();
    require(features.termination != nullptr, CL_OUT_OF_RESOURCES, "the application uses every real-time signal");
  }
  features.zero_local = (properties.initialize & CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR) != 0;
  features.zero_private = (properties.initialize & CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR) != 0;
  if (properties.shares()) features.sharing = open_sharing(properties);
  return Context::create(std::move(devices), std::move(properties.list), notify, user_data, std::move(features))
      .detach()
      ->handle();
}

}  // namespace

CL_API_ENTRY cl_context CL_API_CALL clCreateContext(const cl_context_properties* properties, cl_uint num_devices,
                                                    const cl_device_id* devices, Context::NotifyCallback pfn_notify,
                                                    void* user_data, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto checked = read_context_properties(properties, CL_INVALID_PROPERTY);
    require(devices != nullptr && num_devices != 0, CL_INVALID_VALUE, "no devices");
    require(pfn_notify != nullptr || user_data == nullptr, CL_INVALID_VALUE, "user_data without pfn_notify");
    auto unique = unique_devices({devices, num_devices}, *checked.platform);
    return create(std::move(unique), std::move(checked), pfn_notify, user_data);
  });
}

CL_API_ENTRY cl_context CL_API_CALL clCreateContextFromType(const cl_context_properties* properties,
                                                            cl_device_type device_type,
                                                            Context::NotifyCallback pfn_notify, void* user_data,
                                                            cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto checked = read_context_properties(properties, CL_INVALID_PROPERTY);
    require(pfn_notify != nullptr || user_data == nullptr, CL_INVALID_VALUE, "user_data without pfn_notify");
    std::vector<Ref<Device>> devices;
    for (Device* device : devices_of_type(*checked.platform, device_type)) devices.emplace_back(*device);
    return create(std::move(devices), std::move(checked), pfn_notify, user_data);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainContext(cl_context context) {
  return entry_quick(__func__, [&] { retain<Context>(context); });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseContext(cl_context context) {
  return entry(__func__, [&] { release<Context>(context); });
}

CL_API_ENTRY cl_int CL_API_CALL clSetContextDestructorCallback(cl_context context,
                                                               DestructorCallbacks<cl_context>::Function pfn_notify,
                                                               void* user_data) {
  return entry(__func__, [&] {
    auto& owner = live_context(context);
    require(pfn_notify != nullptr, CL_INVALID_VALUE, "pfn_notify is null");
    owner.destructor_callbacks().add(pfn_notify, user_data);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clTerminateContextKHR(cl_context context) {
  return entry(__func__, [&] {
    const cl_int code = as<Context>(context).terminate();
    require(code == CL_SUCCESS, code, "not made with CL_CONTEXT_TERMINATE_KHR, or terminated before");
  });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Queries of command-queues (API 5.1, table 17).
#include "icd/cast.h"
#include "icd/info.h"
#include "runtime/exec/device_queue.h"
#include "runtime/exec/queue.h"

using namespace lanewise;

namespace {

/// CL_QUEUE_SIZE is a query of queues on the device.
cl_uint refuse_size(const Queue&) {
  throw ApiError{CL_INVALID_COMMAND_QUEUE, "CL_QUEUE_SIZE of a host queue"};
}

template <class AnyQueue>
cl_command_queue default_of(const AnyQueue& queue) {
  const Ref<DeviceQueue> found = DeviceQueue::default_of(queue.context(), queue.device());
  return found ? found->handle() : nullptr;
}

constexpr Row<Queue> kQueueInfo[] = {
    {CL_QUEUE_CONTEXT, type<cl_context>, [](const Queue& q) { return q.context().handle(); }},
    {CL_QUEUE_DEVICE, type<cl_device_id>, [](const Queue& q) { return q.device().handle(); }},
    {CL_QUEUE_REFERENCE_COUNT, type<cl_uint>, [](const Queue& q) { return q.reference_count(); }},
    {CL_QUEUE_PROPERTIES, type<cl_command_queue_properties>, [](const Queue& q) { return q.properties(); }},
    {CL_QUEUE_PROPERTIES_ARRAY, type<cl_queue_properties[]>, [](const Queue& q) { return q.property_list(); }},
    {CL_QUEUE_SIZE, type<cl_uint>, [](const Queue& q) { return refuse_size(q); }},
    {CL_QUEUE_DEVICE_DEFAULT, type<cl_command_queue>, [](const Queue& q) { return default_of(q); }},
};

constexpr Row<DeviceQueue> kDeviceQueueInfo[] = {
    {CL_QUEUE_CONTEXT, type<cl_context>, [](const DeviceQueue& q) { return q.context().handle(); }},
    {CL_QUEUE_DEVICE, type<cl_device_id>, [](const DeviceQueue& q) { return q.device().handle(); }},
    {CL_QUEUE_REFERENCE_COUNT, type<cl_uint>, [](const DeviceQueue& q) { return q.reference_count(); }},
    {CL_QUEUE_PROPERTIES, type<cl_command_queue_properties>,
     [](const DeviceQueue& q) { return q.traits().properties; }},
    {CL_QUEUE_PROPERTIES_ARRAY, type<cl_queue_properties[]>, [](const DeviceQueue& q) { return q.traits().list; }},
    {CL_QUEUE_SIZE, type<cl_uint>, [](const DeviceQueue& q) { return q.traits().bytes; }},
    {CL_QUEUE_DEVICE_DEFAULT, type<cl_command_queue>, [](const DeviceQueue& q) { return default_of(q); }},
};

}  // namespace

CL_API_ENTRY cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue command_queue, cl_command_queue_info param_name,
                                                      size_t param_value_size, void* param_value,
                                                      size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    const InfoWriter writer(param_value_size, param_value, param_value_size_ret);
    if (const auto* on_device = try_as<DeviceQueue>(command_queue))
      return answer(kDeviceQueueInfo, param_name, *on_device, writer);
    answer(kQueueInfo, param_name, as<Queue>(command_queue), writer);
  });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Command-queues of the host and of the device (API 5.1), flush and finish (5.16).
#include <CL/cl_ext.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "icd/cast.h"
#include "icd/property_list.h"
#include "icd/selection.h"
#include "runtime/core/context.h"
#include "runtime/exec/device_queue.h"
#include "runtime/exec/queue.h"

using namespace lanewise;

namespace {

bool is_device_queue(cl_command_queue queue) {
  return try_as<DeviceQueue>(queue) != nullptr || is_inherited<DeviceQueue>(queue);
}

constexpr cl_command_queue_properties kHostBits = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
constexpr cl_command_queue_properties kDeviceBits = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

/// API 5.1, table 15.
void check_bits(cl_command_queue_properties bits) {
  require((bits & ~(kHostBits | kDeviceBits)) == 0, CL_INVALID_VALUE, "unknown bits in CL_QUEUE_PROPERTIES");
  require((bits & CL_QUEUE_ON_DEVICE) == 0 || (bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0, CL_INVALID_VALUE,
          "a queue on the device has to be out of order");
  require((bits & CL_QUEUE_ON_DEVICE_DEFAULT) == 0 || (bits & CL_QUEUE_ON_DEVICE) != 0, CL_INVALID_VALUE,
          "a default device queue is on the device");
}

struct QueueProperties {
  cl_command_queue_properties bits = 0;
  std::optional<cl_queue_properties> size;  ///< of a queue on the device
  bool has_hints = false;
  QueueHints hints;
  std::vector<cl_queue_properties> list;  ///< with the closing 0; empty if none was given
};

/// cl_khr_priority_hints and cl_khr_throttle_hints have the same three values, of which a queue has one.
Hint read_hint(cl_queue_properties value) {
  static_assert(CL_QUEUE_PRIORITY_HIGH_KHR == CL_QUEUE_THROTTLE_HIGH_KHR);
  static_assert(CL_QUEUE_PRIORITY_MED_KHR == CL_QUEUE_THROTTLE_MED_KHR);
  static_assert(CL_QUEUE_PRIORITY_LOW_KHR == CL_QUEUE_THROTTLE_LOW_KHR);
  switch (value) {
    case CL_QUEUE_PRIORITY_HIGH_KHR:
      return Hint::high;
    case CL_QUEUE_PRIORITY_MED_KHR:
      return Hint::medium;
    case CL_QUEUE_PRIORITY_LOW_KHR:
      return Hint::low;
    default:
      throw ApiError{CL_INVALID_VALUE, "the value is neither high nor medium nor low"};
  }
}

constexpr PropertyRow<cl_queue_properties, QueueProperties> kQueueProperties[] = {
    {CL_QUEUE_PROPERTIES, [](QueueProperties& q, cl_queue_properties value) { q.bits = value; }},
    {CL_QUEUE_SIZE, [](QueueProperties& q, cl_queue_properties value) { q.size = value; }},
    {CL_QUEUE_PRIORITY_KHR,
     [](QueueProperties& q, cl_queue_properties value) {
       q.has_hints = true;
       q.hints.priority = read_hint(value);
     }},
    {CL_QUEUE_THROTTLE_KHR,
     [](QueueProperties& q, cl_queue_properties value) {
       q.has_hints = true;
       q.hints.throttle = read_hint(value);
     }},
};

QueueProperties checked_properties(const cl_queue_properties* properties) {
  QueueProperties out;
  out.list = read_properties(properties, kQueueProperties, out, CL_INVALID_VALUE);
  const bool on_device = (out.bits & CL_QUEUE_ON_DEVICE) != 0;
  require(!out.size || on_device, CL_INVALID_VALUE, "CL_QUEUE_SIZE of a host queue");
  check_bits(out.bits);
  // API 5.1, table 15; cl_khr_priority_hints and cl_khr_throttle_hints are for host queues.
  require(!out.size || (*out.size != 0 && *out.size <= DeviceQueue::kMostBytes), CL_INVALID_QUEUE_PROPERTIES,
          "a larger size than CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, or none");
  require(!on_device || !out.has_hints, CL_INVALID_QUEUE_PROPERTIES, "hints of a queue on the device");
  return out;
}

cl_command_queue create_on_device(Context& context, Device& device, QueueProperties properties) {
  DeviceQueue::Traits traits{.properties = properties.bits, .list = std::move(properties.list)};
  if (properties.size) traits.bytes = static_cast<std::uint32_t>(*properties.size);
  return unwrap(DeviceQueue::create(context, device, std::move(traits)))->handle();
}

}  // namespace

CL_API_ENTRY cl_command_queue CL_API_CALL clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                                             const cl_queue_properties* properties,
                                                                             cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto& owner = live_context(context);
    auto& target = device_in(owner, device);
    auto checked = checked_properties(properties);
    if ((checked.bits & CL_QUEUE_ON_DEVICE) != 0) return create_on_device(owner, target, std::move(checked));
    return Queue::create(owner, target, checked.bits, std::move(checked.list), checked.hints).detach()->handle();
  });
}

CL_API_ENTRY cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                               cl_command_queue_properties properties,
                                                               cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto& owner = live_context(context);
    auto& target = device_in(owner, device);
    require((properties & ~kHostBits) == 0, CL_INVALID_VALUE, "unknown queue properties");
    return Queue::create(owner, target, properties, {}).detach()->handle();
  });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue command_queue) {
  return entry_quick(__func__, [&] {
    if (is_device_queue(command_queue)) return retain<DeviceQueue>(command_queue);
    retain<Queue>(command_queue);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue command_queue) {
  return entry(__func__, [&] {
    if (is_device_queue(command_queue)) return release<DeviceQueue>(command_queue);
    release<Queue>(command_queue);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue command_queue, cl_command_queue_properties,
                                                          cl_bool, cl_command_queue_properties*) {
  return entry(__func__, [&] {
    if (try_as<DeviceQueue>(command_queue) == nullptr) as<Queue>(command_queue);
    throw ApiError{CL_INVALID_OPERATION, "only OpenCL 1.0 devices can change a queue's properties"};
  });
}

CL_API_ENTRY cl_int CL_API_CALL clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
                                                               cl_command_queue command_queue) {
  return entry(__func__, [&] {
    const auto& owner = live_context(context);
    const auto& target = device_in(owner, device);
    // API 5.1: a valid command-queue for the device; only one on the device can be the default one.
    auto& queue = as<DeviceQueue>(command_queue);
    require(&queue.context() == &owner && &queue.device() == &target, CL_INVALID_COMMAND_QUEUE,
            "a queue of another context or device");
    queue.make_default();
  });
}

CL_API_ENTRY cl_int CL_API_CALL clFlush(cl_command_queue command_queue) {
  return entry(__func__, [&] { as<Queue>(command_queue).flush(); });
}

CL_API_ENTRY cl_int CL_API_CALL clFinish(cl_command_queue command_queue) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    const cl_int status = queue.finish();
    require(status == CL_SUCCESS, status, "the commands of the queue cannot be waited for");
    const cl_int late = queue.take_late_error();
    require(late == CL_SUCCESS, late, "a launch had no code, or LANEWISE_CHECK=fatal found a fault");
  });
}

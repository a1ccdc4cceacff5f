// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Command-queues (API 5.1), flush and finish (5.16).
#include <CL/cl_ext.h>

#include <utility>
#include <vector>

#include "icd/cast.h"
#include "icd/property_list.h"
#include "icd/selection.h"
#include "runtime/core/context.h"
#include "runtime/exec/queue.h"

using namespace lanewise;

namespace {

constexpr cl_command_queue_properties kHostBits = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
constexpr cl_command_queue_properties kDeviceBits = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

/// API 5.1, table 15.
void check_bits(cl_command_queue_properties bits) {
  require((bits & ~(kHostBits | kDeviceBits)) == 0, CL_INVALID_VALUE, "unknown bits in CL_QUEUE_PROPERTIES");
  require((bits & CL_QUEUE_ON_DEVICE) == 0 || (bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0, CL_INVALID_VALUE,
          "a device queue is out of order");
  require((bits & CL_QUEUE_ON_DEVICE_DEFAULT) == 0 || (bits & CL_QUEUE_ON_DEVICE) != 0, CL_INVALID_VALUE,
          "a default device queue is on the device");
  require((bits & kDeviceBits) == 0, CL_INVALID_QUEUE_PROPERTIES, "the device has no on-device queues");
}

struct QueueProperties {
  cl_command_queue_properties bits = 0;
  bool has_size = false;
  QueueHints hints;
  std::vector<cl_queue_properties> list;  ///< with the closing 0; empty if none was given
};

/// cl_khr_priority_hints and cl_khr_throttle_hints: the same three values, one at a time.
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
      throw ApiError{CL_INVALID_VALUE, "neither high nor medium nor low"};
  }
}

constexpr PropertyRow<cl_queue_properties, QueueProperties> kQueueProperties[] = {
    {CL_QUEUE_PROPERTIES, [](QueueProperties& q, cl_queue_properties value) { q.bits = value; }},
    {CL_QUEUE_SIZE, [](QueueProperties& q, cl_queue_properties) { q.has_size = true; }},
    {CL_QUEUE_PRIORITY_KHR, [](QueueProperties& q, cl_queue_properties value) { q.hints.priority = read_hint(value); }},
    {CL_QUEUE_THROTTLE_KHR, [](QueueProperties& q, cl_queue_properties value) { q.hints.throttle = read_hint(value); }},
};

QueueProperties checked_properties(const cl_queue_properties* properties) {
  QueueProperties out;
  out.list = read_properties(properties, kQueueProperties, out, CL_INVALID_VALUE);
  require(!out.has_size || (out.bits & CL_QUEUE_ON_DEVICE) != 0, CL_INVALID_VALUE, "CL_QUEUE_SIZE of a host queue");
  check_bits(out.bits);
  return out;
}

}  // namespace

CL_API_ENTRY cl_command_queue CL_API_CALL clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                                             const cl_queue_properties* properties,
                                                                             cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret, [&] {
    auto& owner = live_context(context);
    auto& target = device_in(owner, device);
    auto checked = checked_properties(properties);
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
  return entry_quick(__func__, [&] { as<Queue>(command_queue).retain_api(); });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue command_queue) {
  return entry(__func__, [&] { release<Queue>(command_queue); });
}

CL_API_ENTRY cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue command_queue, cl_command_queue_properties,
                                                          cl_bool, cl_command_queue_properties*) {
  return entry(__func__, [&] {
    as<Queue>(command_queue);
    throw ApiError{CL_INVALID_OPERATION, "only OpenCL 1.0 devices can change a queue's properties"};
  });
}

CL_API_ENTRY cl_int CL_API_CALL clFlush(cl_command_queue command_queue) {
  return entry(__func__, [&] { as<Queue>(command_queue).flush(); });
}

CL_API_ENTRY cl_int CL_API_CALL clFinish(cl_command_queue command_queue) {
  return entry(__func__, [&] {
    const cl_int status = as<Queue>(command_queue).finish();
    require(status == CL_SUCCESS, status, "the queue cannot finish");
  });
}

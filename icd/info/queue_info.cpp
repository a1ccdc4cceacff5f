// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Queries of command-queues (API 5.1, table 17).
#include "icd/cast.h"
#include "icd/info.h"
#include "runtime/exec/queue.h"

using namespace lanewise;

namespace {

/// CL_QUEUE_SIZE is a query of device queues, which do not exist.
cl_uint refuse_size(const Queue&) {
  throw ApiError{CL_INVALID_COMMAND_QUEUE, "CL_QUEUE_SIZE of a host queue"};
}

constexpr Row<Queue> kQueueInfo[] = {
    {CL_QUEUE_CONTEXT, type<cl_context>, [](const Queue& q) { return q.context().handle(); }},
    {CL_QUEUE_DEVICE, type<cl_device_id>, [](const Queue& q) { return q.device().handle(); }},
    {CL_QUEUE_REFERENCE_COUNT, type<cl_uint>, [](const Queue& q) { return q.reference_count(); }},
    {CL_QUEUE_PROPERTIES, type<cl_command_queue_properties>, [](const Queue& q) { return q.properties(); }},
    {CL_QUEUE_PROPERTIES_ARRAY, type<cl_queue_properties[]>, [](const Queue& q) { return q.property_list(); }},
    {CL_QUEUE_SIZE, type<cl_uint>, [](const Queue& q) { return refuse_size(q); }},
    {CL_QUEUE_DEVICE_DEFAULT, type<cl_command_queue>, [](const Queue&) { return cl_command_queue{}; }},
};

}  // namespace

CL_API_ENTRY cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue command_queue, cl_command_queue_info param_name,
                                                      size_t param_value_size, void* param_value,
                                                      size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    answer(std::span<const Row<Queue>>(kQueueInfo), param_name, as<Queue>(command_queue),
           InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Queries of events (API 5.11.1, table 50) and their times (5.15, table 56).
#include "icd/cast.h"
#include "icd/info.h"
#include "runtime/exec/event.h"
#include "runtime/exec/queue.h"

using namespace lanewise;

namespace {

constexpr Row<Event> kEventInfo[] = {
    {CL_EVENT_COMMAND_QUEUE, type<cl_command_queue>,
     [](const Event& e) { return e.shown_queue() != nullptr ? e.shown_queue()->handle() : nullptr; }},
    {CL_EVENT_CONTEXT, type<cl_context>, [](const Event& e) { return e.context().handle(); }},
    {CL_EVENT_COMMAND_TYPE, type<cl_command_type>, [](const Event& e) { return e.type(); }},
    {CL_EVENT_COMMAND_EXECUTION_STATUS, type<cl_int>, [](const Event& e) { return e.status(); }},
    {CL_EVENT_REFERENCE_COUNT, type<cl_uint>, [](const Event& e) { return e.reference_count(); }},
};

constexpr Row<Event> kProfilingInfo[] = {
    {CL_PROFILING_COMMAND_QUEUED, type<cl_ulong>, [](const Event& e) { return cl_ulong{e.times().queued}; }},
    {CL_PROFILING_COMMAND_SUBMIT, type<cl_ulong>, [](const Event& e) { return cl_ulong{e.times().submit}; }},
    {CL_PROFILING_COMMAND_START, type<cl_ulong>, [](const Event& e) { return cl_ulong{e.times().start}; }},
    // Of its own run; what it has enqueued on the device belongs to what follows.
    {CL_PROFILING_COMMAND_END, type<cl_ulong>, [](const Event& e) { return cl_ulong{e.run_end()}; }},
    {CL_PROFILING_COMMAND_COMPLETE, type<cl_ulong>, [](const Event& e) { return cl_ulong{e.times().end}; }},
};

}  // namespace

CL_API_ENTRY cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size,
                                               void* param_value, size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    auto& e = as<Event>(event);
    // An application that polls the status without a flush would otherwise wait for a command that never starts.
    if (param_name == CL_EVENT_COMMAND_EXECUTION_STATUS) e.flush();
    answer(kEventInfo, param_name, e, InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name,
                                                        size_t param_value_size, void* param_value,
                                                        size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    const auto& e = as<Event>(event);
    require(e.has_times(), CL_PROFILING_INFO_NOT_AVAILABLE,
            "the queue has no profiling, the command is not complete, or it is a user event");
    answer(kProfilingInfo, param_name, e, InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}

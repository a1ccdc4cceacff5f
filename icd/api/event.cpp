// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Events (API 5.11), markers and barriers (5.12).
#include <span>

#include "icd/cast.h"
#include "icd/enqueue.h"
#include "icd/selection.h"
#include "runtime/exec/event.h"
#include "runtime/exec/queue.h"
#include "runtime/exec/user_event.h"

using namespace lanewise;

CL_API_ENTRY cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int* errcode_ret) {
  return entry_create(__func__, errcode_ret,
                      [&] { return unwrap(UserEvent::create(live_context(context))).detach()->handle(); });
}

CL_API_ENTRY cl_int CL_API_CALL clSetUserEventStatus(cl_event event, cl_int execution_status) {
  return entry(__func__, [&] {
    auto& e = as<Event>(event);
    UserEvent* user = UserEvent::from(e);
    require(user != nullptr && !e.is_fence(), CL_INVALID_EVENT, "not a user event");
    require(execution_status <= CL_COMPLETE, CL_INVALID_VALUE, "neither CL_COMPLETE nor an error");
    const cl_int result = user->set_status(execution_status);
    require(result == CL_SUCCESS, result, "the status has been set before");
  });
}

CL_API_ENTRY cl_int CL_API_CALL clWaitForEvents(cl_uint num_events, const cl_event* event_list) {
  return entry(__func__, [&] {
    require(num_events != 0 && event_list != nullptr, CL_INVALID_VALUE, "no events");
    const std::span<const cl_event> handles(event_list, num_events);
    const Context* context = nullptr;
    for (const cl_event handle : handles) {
      const auto& event = as<Event>(handle);
      require(context == nullptr || context == &event.context(), CL_INVALID_CONTEXT, "events of different contexts");
      context = &event.context();
    }
    // All of them are flushed before the call waits for the first one.
    if (num_events > 1) {
      for (const cl_event handle : handles) as<Event>(handle).flush();
    }
    bool failed = false;
    for (const cl_event handle : handles) {
      auto& event = as<Event>(handle);
      const cl_int status = event.wait();
      require(event.ended(), status, "the event cannot be waited for");
      failed |= status < 0;
    }
    require(!failed, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "a command failed");
  });
}

CL_API_ENTRY cl_int CL_API_CALL clSetEventCallback(cl_event event, cl_int command_exec_callback_type,
                                                   void(CL_CALLBACK* pfn_notify)(cl_event, cl_int, void*),
                                                   void* user_data) {
  return entry(__func__, [&] {
    auto& e = as<Event>(event);
    require(pfn_notify != nullptr, CL_INVALID_VALUE, "no callback");
    require(command_exec_callback_type == CL_SUBMITTED || command_exec_callback_type == CL_RUNNING ||
                command_exec_callback_type == CL_COMPLETE,
            CL_INVALID_VALUE, "no status that callbacks are for");
    unwrap(e.add_callback(command_exec_callback_type, pfn_notify, user_data));
  });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainEvent(cl_event event) {
  return entry_quick(__func__, [&] { retain<Event>(event); });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseEvent(cl_event event) {
  return entry(__func__, [&] { release<Event>(event); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue command_queue,
                                                            cl_uint num_events_in_wait_list,
                                                            const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    enqueue(as<Queue>(command_queue), CL_COMMAND_MARKER, nullptr, {num_events_in_wait_list, event_wait_list}, event,
            false, SubmitKind::marker);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue command_queue,
                                                             cl_uint num_events_in_wait_list,
                                                             const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    enqueue(as<Queue>(command_queue), CL_COMMAND_BARRIER, nullptr, {num_events_in_wait_list, event_wait_list}, event,
            false, SubmitKind::barrier);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMarker(cl_command_queue command_queue, cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    require(event != nullptr, CL_INVALID_VALUE, "a marker without an event");
    enqueue(queue, CL_COMMAND_MARKER, nullptr, {0, nullptr}, event, false, SubmitKind::marker);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue command_queue, cl_uint num_events,
                                                       const cl_event* event_list) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    require(num_events != 0 && event_list != nullptr, CL_INVALID_VALUE, "no events");
    for (const cl_event handle : std::span(event_list, num_events)) as<Event>(handle);
    enqueue(queue, CL_COMMAND_BARRIER, nullptr, {num_events, event_list}, nullptr, false, SubmitKind::barrier);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue command_queue) {
  return entry(__func__, [&] {
    enqueue(as<Queue>(command_queue), CL_COMMAND_BARRIER, nullptr, {0, nullptr}, nullptr, false, SubmitKind::barrier);
  });
}

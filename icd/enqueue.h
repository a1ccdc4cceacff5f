// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The common last step of every clEnqueue* function.
#pragma once

#include <CL/cl.h>

#include "icd/boundary.h"
#include "runtime/exec/queue.h"

namespace lanewise {

/// An event wait list as given to clEnqueue*.
struct WaitList {
  cl_uint count;
  const cl_event* events;
};

/// Checks the rules of every wait list (API 5.10). `enqueue` checks them too; this function is for entry points that
/// must check the wait list before something else. Throws CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT.
void check_wait_list(const Context& context, WaitList waits);

/// Checks that no event of a checked list has failed already, as some extensions require. Throws
/// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST.
void check_none_failed(WaitList waits);

/// Checks the wait list and submits the command. Throws CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT,
/// CL_INVALID_EVENT (a fence of OpenGL or EGL in the list of a command that takes none), CL_OUT_OF_RESOURCES,
/// CL_OUT_OF_HOST_MEMORY.
Ref<Event> submit(Queue& queue, cl_command_type type, WorkPtr work, WaitList waits,
                  SubmitKind kind = SubmitKind::normal, Start start = Start::soon, std::uint64_t begun = 0);

/// Submits the command, stores its event if `event` is not null, and waits for it if `blocking`. Throws what `submit`
/// throws. If a blocking command fails, throws its status (CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if an event of
/// the wait list failed), or Queue::take_late_error, and returns no event.
/// @param work   null: nothing to do
/// @param begun  Queue::time_of_call at the start of the call, for a command without work
void enqueue(Queue& queue, cl_command_type type, WorkPtr work, WaitList waits, cl_event* event, bool blocking = false,
             SubmitKind kind = SubmitKind::normal, std::uint64_t begun = 0);

/// The same for a command that also waits for `before`, which has no place in the wait list.
void enqueue_after(Event& before, Queue& queue, cl_command_type type, WorkPtr work, WaitList waits, cl_event* event);

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The common last step of every clEnqueue* function.
#pragma once

#include <CL/cl.h>

#include "icd/boundary.h"
#include "runtime/exec/queue.h"

namespace lanewise {

struct WaitList {
  cl_uint count;
  const cl_event* events;
};

/// The rules of every wait list (API 5.10). Throws CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT. `enqueue` checks
/// them too, so this is for entry points that must check the wait list before something else.
void check_wait_list(const Context& context, WaitList waits);

/// For a list that has been checked: commands of some extensions are refused if an event of it has already failed.
/// Throws CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST.
void check_none_failed(WaitList waits);

/// Checks the wait list, submits `work` (null: nothing to do), stores the event where `event` is not null, and if
/// `blocking` waits for the command. Throws ApiError: CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT,
/// CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY; for a blocking command that failed its status, which is
/// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if that was the reason. No event is returned then.
/// @param begun  Queue::time_of_call, taken when the call began, of a command without work
void enqueue(Queue& queue, cl_command_type type, WorkPtr work, WaitList waits, cl_event* event, bool blocking = false,
             SubmitKind kind = SubmitKind::normal, std::uint64_t begun = 0);

}  // namespace lanewise

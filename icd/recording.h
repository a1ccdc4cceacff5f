// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The common part of every function that records a command into a command-buffer (cl_khr_command_buffer).
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <optional>
#include <span>

#include "icd/boundary.h"
#include "runtime/command_buffer/command_buffer.h"

namespace lanewise {

/// The arguments that all these functions have.
struct RecordArguments {
  cl_command_buffer_khr buffer;
  cl_command_queue queue;
  const cl_properties* properties;
  cl_uint wait_count;
  const cl_sync_point_khr* waits;
  cl_sync_point_khr* sync_point;
  cl_mutable_command_khr* handle;
};

/// The command-buffer, which is still recording, and the queue that a command is recorded for.
struct RecordTarget {
  CommandBuffer& buffer;
  std::uint32_t index;  ///< index of the queue in the command-buffer
  [[nodiscard]] const Queue& queue() const { return *buffer.queues()[index]; }
};

/// Finds and checks the target of a command. Throws CL_INVALID_COMMAND_BUFFER_KHR, CL_INVALID_COMMAND_QUEUE,
/// CL_INVALID_CONTEXT, CL_INVALID_OPERATION, CL_CONTEXT_TERMINATED_KHR.
RecordTarget record_target(const RecordArguments& arguments);

/// Records a command, and stores its sync point and its handle if the application asks for them. Throws
/// CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, CL_INVALID_OPERATION, CL_OUT_OF_RESOURCES.
void record(const RecordTarget& target, const RecordArguments& arguments, Recording recording);

/// Records a command that takes no properties and has no handle. `make_work(queue)` checks the other arguments.
template <class MakeWork>
void record_plain(cl_command_type type, const RecordArguments& arguments, MakeWork&& make_work) {
  const RecordTarget target = record_target(arguments);
  require(arguments.properties == nullptr || *arguments.properties == 0, CL_INVALID_VALUE, "unknown property");
  require(arguments.handle == nullptr, CL_INVALID_VALUE, "a handle of what cannot be changed");
  record(target, arguments, {.type = type, .work = make_work(target.queue()), .queue = target.index});
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The interface of a queue to its commands and to the scheduler. The class Queue derives from it, makes commands and
/// gives them to the scheduler (queue.h).
#pragma once

#include <CL/cl.h>

#include "runtime/core/context.h"
#include "runtime/core/device.h"
#include "runtime/exec/hints.h"
#include "runtime/object/object.h"

namespace lanewise {

class Command;
class Queue;
class Scheduler;

class CommandOwner : public ContextQueue {
 public:
  [[nodiscard]] Context& context() const { return *context_; }
  [[nodiscard]] Device& device() const { return *device_; }
  [[nodiscard]] Scheduler& scheduler() const { return scheduler_; }
  [[nodiscard]] QueueHints hints() const { return hints_; }
  [[nodiscard]] cl_command_queue_properties properties() const { return properties_; }
  [[nodiscard]] bool in_order() const { return (properties_ & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0; }
  [[nodiscard]] bool profiling() const { return (properties_ & CL_QUEUE_PROFILING_ENABLE) != 0; }

  [[nodiscard]] virtual Queue& queue() = 0;
  /// Makes sure that the queue's commands, and the commands of other devices that they may wait for, run without
  /// further calls. Does not block.
  virtual void start_commands() = 0;
  /// Blocks until the command has ended. The calling thread first runs the commands that it depends on (Event::wait).
  virtual void wait_for(Command& command) = 0;
  /// Removes the command, which has ended, from the queue's order.
  virtual void forget(Command& command) = 0;

 protected:
  CommandOwner(Context& context, Device& device, Scheduler& scheduler, cl_command_queue_properties properties,
               QueueHints hints)
      : context_(context), device_(device), scheduler_(scheduler), properties_(properties), hints_(hints) {}

 private:
  Ref<Context> context_;
  Ref<Device> device_;
  Scheduler& scheduler_;
  cl_command_queue_properties properties_;
  QueueHints hints_;
};

}  // namespace lanewise

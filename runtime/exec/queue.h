// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Host command-queues: what is enqueued becomes commands in an order (queue_order.h), which a scheduler runs.
///
/// A failed command does not stop its queue: the order of a queue carries no error, wait lists do (API 3.2 leaves the
/// queue's fate to the implementation; this way the outcome does not depend on timing).
#pragma once

#include <CL/cl.h>

#include <span>
#include <vector>

#include "runtime/core/context.h"
#include "runtime/core/device.h"
#include "runtime/exec/event.h"
#include "runtime/exec/hints.h"
#include "runtime/exec/queue_order.h"
#include "runtime/exec/work.h"
#include "runtime/object/object.h"
#include "src/base/result.h"

namespace lanewise {

class Scheduler;

/// When the command must start without any further call.
enum class Start {
  soon,     ///< at once, except that very small commands may be collected for some microseconds of work
  on_wait,  ///< the caller waits for it next and runs it itself if no worker is faster
};

class Queue final : public ContextQueue {
 public:
  /// @param property_list  as given to clCreateCommandQueueWithProperties with the closing 0; empty if none was given
  static Ref<Queue> create(Context& context, Device& device, cl_command_queue_properties properties,
                           std::vector<cl_queue_properties> property_list, QueueHints hints = {});

  [[nodiscard]] QueueHints hints() const { return hints_; }
  [[nodiscard]] Context& context() const { return *context_; }
  [[nodiscard]] Device& device() const { return *device_; }
  [[nodiscard]] Scheduler& scheduler() const { return scheduler_; }
  [[nodiscard]] cl_command_queue_properties properties() const { return properties_; }
  [[nodiscard]] const std::vector<cl_queue_properties>& property_list() const { return property_list_; }
  [[nodiscard]] bool in_order() const { return (properties_ & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0; }
  [[nodiscard]] bool profiling() const { return (properties_ & CL_QUEUE_PROFILING_ENABLE) != 0; }

  /// Takes the complete work (null: nothing to do) and never blocks. Thread-safe; the order of enqueues is the order
  /// of the calls. `parent`: the event of a command whose work is running and calls this (Worker::running); it ends when
  /// the new command has ended too, and fails with it. Such a child has no place in the order of the queue: it waits for
  /// its wait list alone. Errors: CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES (forked child),
  /// CL_CONTEXT_TERMINATED_KHR.
  Result<Ref<Event>> submit(cl_command_type type, WorkPtr work, std::span<Event* const> waits,
                            SubmitKind kind = SubmitKind::normal, Start start = Start::soon, Event* parent = nullptr);

  cl_int finish() override;
  /// Makes sure that everything enqueued before runs without further calls; does not block.
  void flush();
  void abandon() override { order_.abandon(); }

  /// For the scheduler: the command has ended.
  void forget(Command& command) { order_.forget(command); }

 private:
  Queue(Context& context, Device& device, cl_command_queue_properties properties,
        std::vector<cl_queue_properties> property_list, QueueHints hints);
  ~Queue() override { context_->leave(*this); }
  void on_api_released() noexcept override { flush(); }

  Ref<Context> context_;
  Ref<Device> device_;
  Scheduler& scheduler_;
  cl_command_queue_properties properties_;
  std::vector<cl_queue_properties> property_list_;
  QueueHints hints_;
  QueueOrder order_;
};

}  // namespace lanewise

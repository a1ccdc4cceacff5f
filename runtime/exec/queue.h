// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Host command-queues: an enqueue makes a command, puts it into the queue's order (queue_order.h) and gives it to a
/// scheduler.
///
/// A failed command does not stop its queue: only wait lists pass on errors, the order of a queue does not. API 3.2
/// leaves this to the implementation; done this way, the outcome does not depend on timing.
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/core/context.h"
#include "runtime/core/device.h"
#include "runtime/exec/budget.h"
#include "runtime/exec/command_owner.h"
#include "runtime/exec/event.h"
#include "runtime/exec/hints.h"
#include "runtime/exec/queue_order.h"
#include "runtime/exec/start.h"
#include "runtime/exec/work.h"
#include "runtime/object/object.h"
#include "src/base/clock.h"
#include "src/base/result.h"

namespace lanewise {

class Worker;

/// What a child waits for beside its wait list.
enum class After {
  nothing,
  pieces,  ///< those of its parent that the calling thread is about to have run
  run,     ///< all pieces of its parent, but not its parent's children
};

/// A command that a work enqueues while it runs. It ends before its parent does, which fails with it, and has no place
/// in the order of the queue.
struct ChildCommand {
  cl_command_type type = 0;
  WorkPtr work = {};  ///< complete; null: nothing to do
  std::span<Event* const> waits = {};
  After after = After::nothing;
  bool has_captures = false;  ///< somebody may ask for its times by `capture_times`
};

class Queue final : public CommandOwner {
 public:
  /// @param property_list  as given to clCreateCommandQueueWithProperties with the closing 0; empty if none was given
  static Ref<Queue> create(Context& context, Device& device, cl_command_queue_properties properties,
                           std::vector<cl_queue_properties> property_list, QueueHints hints = {});
  /// One that the application never sees: for what kernels enqueue, which may take so many bytes together.
  static Ref<Queue> create_inner(Context& context, Device& device, cl_command_queue_properties properties,
                                 std::uint64_t bytes);

  [[nodiscard]] const std::vector<cl_queue_properties>& property_list() const { return property_list_; }

  /// Takes the complete work (null: nothing to do) and never blocks. Thread-safe; the order of enqueues is the order
  /// of the calls. Errors: CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES (forked child), CL_CONTEXT_TERMINATED_KHR.
  /// @param begun  `time_of_call`, of a command that has no work left
  Result<Ref<Event>> submit(cl_command_type type, WorkPtr work, std::span<Event* const> waits,
                            SubmitKind kind = SubmitKind::normal, Start start = Start::soon, std::uint64_t begun = 0);
  /// When a call begins that does by itself what its command stands for, such as a map: the command starts with it. 0: it
  /// may have to wait for others, or nobody asks for times.
  [[nodiscard]] std::uint64_t time_of_call() { return profiling() && order_.empty() ? now_ns() : 0; }
  /// The same for a child of what runs on `worker`, which is the calling thread's (Worker::running). Errors: as
  /// `submit`, and CL_OUT_OF_RESOURCES if the queue's budget does not have the bytes of a command.
  Result<Ref<Event>> submit_child(Worker& worker, ChildCommand child);

  /// Null: there is no limit.
  [[nodiscard]] Budget* budget() const { return budget_.get(); }

  cl_int finish() override;
  /// Makes sure that all commands enqueued before run without further calls; does not block.
  void flush();
  void abandon() override { order_.abandon(); }

  Queue& queue() override { return *this; }
  void start_commands() override;
  void wait_for(Command& command) override;
  void forget(Command& command) override;

 private:
  Queue(Context& context, Device& device, cl_command_queue_properties properties,
        std::vector<cl_queue_properties> property_list, QueueHints hints);
  ~Queue() override { context().leave(*this); }
  /// A new command in state CL_QUEUED, whose caller has the only reference, and the edges for its wait list.
  struct Made {
    Ref<Event> event;
    Command* command;
    Edge* edges;
  };
  Result<Made> make(cl_command_type type, WorkPtr work, std::size_t waits);
  void on_api_released() noexcept override { flush(); }

  std::vector<cl_queue_properties> property_list_;
  std::unique_ptr<Budget> budget_;
  QueueOrder order_;
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Host command-queues: an enqueue makes a command, puts it into the queue's order (queue_order.h) and gives it to a
/// scheduler.
///
/// A failed command does not stop its queue: only wait lists pass on errors, the order of a queue does not. API 3.2
/// leaves this to the implementation; done this way, the outcome does not depend on timing.
#pragma once

#include <CL/cl.h>

#include <atomic>
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
  pieces,  ///< the pieces of its parent that the calling thread is running
  run,     ///< all pieces of its parent, but not its parent's children
};

/// A command that a work enqueues while it runs. The child ends before its parent, has no place in the order of the
/// queue, and fails its parent if it fails.
struct ChildCommand {
  cl_command_type type = 0;
  WorkPtr work = {};  ///< complete; null: nothing to do
  std::span<Event* const> waits = {};
  After after = After::nothing;
  bool has_captures = false;  ///< `capture_times` may ask for its times
};

/// A host command-queue, or an inner queue for the commands that kernels enqueue.
class Queue final : public CommandOwner {
 public:
  /// @param property_list  as given to clCreateCommandQueueWithProperties with the closing 0; empty if none was given
  static Ref<Queue> create(Context& context, Device& device, cl_command_queue_properties properties,
                           std::vector<cl_queue_properties> property_list, QueueHints hints = {});
  /// Creates a queue that the application never sees, for the commands that kernels enqueue.
  /// @param bytes  budget of all commands that have not ended
  static Ref<Queue> create_inner(Context& context, Device& device, cl_command_queue_properties properties,
                                 std::uint64_t bytes);

  [[nodiscard]] const std::vector<cl_queue_properties>& property_list() const { return property_list_; }

  /// Enqueues a command. Never blocks. Thread-safe; the order of enqueues is the order of the calls. Errors:
  /// CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES (forked child), CL_CONTEXT_TERMINATED_KHR.
  /// @param work   the complete work; null: nothing to do
  /// @param begun  `time_of_call` of a command whose work the call has done; 0: the command starts later
  Result<Ref<Event>> submit(cl_command_type type, WorkPtr work, std::span<Event* const> waits,
                            SubmitKind kind = SubmitKind::normal, Start start = Start::soon, std::uint64_t begun = 0);
  /// The start, in nanoseconds, of a command whose work the calling function itself does, such as a map. 0: the command
  /// may have to wait for others, or the queue does not profile.
  [[nodiscard]] std::uint64_t time_of_call() { return profiling() && order_.empty() ? now_ns() : 0; }
  /// Enqueues a child of the command that runs on `worker` (Worker::running), the worker of the calling thread. Errors:
  /// as for `submit`, and CL_OUT_OF_RESOURCES if the queue's budget does not have the bytes of a command.
  Result<Ref<Event>> submit_child(Worker& worker, ChildCommand child);

  /// The budget of an inner queue. Null: the queue has no limit.
  [[nodiscard]] Budget* budget() const { return budget_.get(); }

  /// Notes the error of a command that its enqueue could not know. Thread-safe.
  void note_late_error(cl_int error) { late_error_.store(error, std::memory_order_relaxed); }
  /// The error noted since the last call, for calls that wait for the queue's commands: an application that looks at no
  /// event sees it there. CL_SUCCESS: none. Thread-safe.
  [[nodiscard]] cl_int take_late_error() {
    if (late_error_.load(std::memory_order_relaxed) == CL_SUCCESS) [[likely]]
      return CL_SUCCESS;
    return late_error_.exchange(CL_SUCCESS, std::memory_order_relaxed);
  }

  cl_int finish() override;
  /// Makes sure that all commands enqueued so far run without further calls. Does not block.
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
  /// A new command in state CL_QUEUED with one reference, and the edges for its wait list.
  struct Made {
    Ref<Event> event;
    Command* command;
    Edge* edges;
  };
  Result<Made> make(cl_command_type type, WorkPtr work, std::size_t waits);
  void on_api_released() noexcept override { flush(); }

  std::vector<cl_queue_properties> property_list_;
  std::unique_ptr<Budget> budget_;
  std::atomic<cl_int> late_error_{CL_SUCCESS};
  QueueOrder order_;
};

}  // namespace lanewise

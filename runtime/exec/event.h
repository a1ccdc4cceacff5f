// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Events: the nodes of the command graph, as the application sees them. An event is a user event (user_event.h) or a
/// command (command.h, which only queues and the scheduler use).
#pragma once

#include <CL/cl.h>
#include <CL/cl_egl.h>
#include <CL/cl_gl.h>

#include <atomic>
#include <cstdint>

#include "runtime/core/context.h"
#include "runtime/exec/dependency.h"
#include "runtime/exec/event_status.h"
#include "src/base/clock.h"
#include "src/base/result.h"

namespace lanewise {

class Queue;

/// The profiling times of an event, in nanoseconds on the clock of `now_ns()`. 0: the event has not reached the status,
/// or times are not recorded.
struct EventTimes {
  std::uint64_t queued = 0;
  std::uint64_t submit = 0;
  std::uint64_t start = 0;
  std::uint64_t end = 0;

  /// Records the start of a chunk. The chunk that starts first counts, not the one that was claimed first: the system
  /// may suspend a thread between its claim and its run.
  void started() {
    std::atomic_ref<std::uint64_t> first(start);
    std::uint64_t none = 0;
    if (first.load(std::memory_order_relaxed) == none)
      first.compare_exchange_strong(none, now_ns(), std::memory_order_relaxed);
  }
  /// Records the end. A duration is at least 1 ns, because applications divide by it and a command that does nothing
  /// may end in the nanosecond in which it starts.
  void ended(std::uint64_t now) { end = now > start ? now : start + 1; }
};

/// An event. The functions that the application can reach are thread-safe.
class Event : public EventObject {
 public:
  using Callback = EventStatus::Callback;

  /// The event's context, valid as long as the event.
  [[nodiscard]] virtual Context& context() const = 0;
  /// The event's queue, valid as long as the event, even if the application has released the queue. Null for user
  /// events.
  [[nodiscard]] virtual Queue* queue() const { return nullptr; }
  /// CL_EVENT_COMMAND_QUEUE: the queue, but null for a run of a command buffer on several queues.
  [[nodiscard]] Queue* shown_queue() const { return on_several_queues_ ? nullptr : queue(); }
  /// Called before the application gets the event.
  void set_on_several_queues() { on_several_queues_ = true; }
  [[nodiscard]] cl_command_type type() const { return type_; }
  /// Whether it is no command: the application, or a fence of another API, ends it.
  [[nodiscard]] bool is_user() const { return type_ == CL_COMMAND_USER || is_fence(); }
  /// Whether a fence of OpenGL or EGL ends it.
  [[nodiscard]] bool is_fence() const {
    return type_ == CL_COMMAND_GL_FENCE_SYNC_OBJECT_KHR || type_ == CL_COMMAND_EGL_FENCE_SYNC_OBJECT_KHR;
  }
  /// CL_QUEUED, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE or a negative error. CL_COMPLETE and errors are final.
  [[nodiscard]] cl_int status() const { return status_.get(); }
  [[nodiscard]] bool ended() const { return status() <= CL_COMPLETE; }

  /// Number of dependencies that have not ended, from the wait list and from the order of the queue.
  [[nodiscard]] virtual std::uint32_t open_dependencies() const { return 0; }

  /// Blocks until the event has ended and returns its final status. The calling thread first runs the commands of the
  /// same queue that this one depends on, then sleeps. In a forked child: CL_OUT_OF_RESOURCES unless the event has
  /// ended.
  cl_int wait();
  /// Makes sure that the command and all its dependencies run without further calls (clFlush, status queries).
  void flush() {
    if (!ended()) start_commands();
  }
  /// Sleeps until the event has ended, and runs nothing meanwhile.
  void sleep() const { status_.sleep(); }

  /// Registers a callback, which runs once, when the status reaches or has passed `trigger`: within this call if it has
  /// already and the calling thread is not inside a callback, else on the callback thread. The callback gets `trigger`,
  /// or the error of a failed command. Errors: CL_OUT_OF_HOST_MEMORY.
  Result<void> add_callback(cl_int trigger, Callback callback, void* user_data);

  /// The profiling times, complete once the event has ended. All are 0 if the queue does not profile.
  [[nodiscard]] const EventTimes& times() const { return times_; }
  /// The end of the command's own run, in nanoseconds on the clock of `times()`. EventTimes::end is the end of the run
  /// and of all children.
  [[nodiscard]] virtual std::uint64_t run_end() const { return times_.end; }
  /// Whether API 5.15 allows profiling queries: the queue profiles and the status is CL_COMPLETE.
  [[nodiscard]] bool has_times() const { return profiled_ && status() == CL_COMPLETE; }

  /// Fails a user event that has not ended, because nobody will set its status any more. Has no effect on commands.
  virtual void give_up() {}

  /// Makes `after` wait for the end of this event and, if `carries_error`, fail if the event fails.
  void precede(Dependent& after, Edge& edge, bool carries_error) {
    if (!after.wait_for(successors_, edge, carries_error) && carries_error && status() < 0) after.fail();
  }

 protected:
  /// @param terminable  the context can be terminated, which ends the event too
  Event(cl_command_type type, cl_int status, bool profiled, bool terminable)
      : status_(status, terminable), type_(type), profiled_(profiled) {}

  /// Publishes the final status, wakes waiting threads and appends the dependents that became ready to `ready`.
  void close(cl_int status, DependentList& ready) { successors_.tell(status_.end(*this, status), ready); }
  [[nodiscard]] EventStatus& status_word() { return status_; }
  [[nodiscard]] const EventStatus& status_word() const { return status_; }
  [[nodiscard]] bool profiled() const { return profiled_; }
  [[nodiscard]] EventTimes& recorded_times() { return times_; }

 private:
  /// Starts the commands that the event depends on and no thread has been woken for. The event has not ended.
  virtual void start_commands() = 0;
  /// Blocks until the event has ended, in the best way for its kind.
  virtual void wait_for_end() = 0;

  EventStatus status_;
  Successors successors_;
  const cl_command_type type_;
  const bool profiled_;
  bool on_several_queues_ = false;
  EventTimes times_;
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Events: the nodes of the command graph, as the application sees them. An event is a user event (user_event.h) or a
/// command, whose class only queue and scheduler use (command.h).
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <cstdint>

#include "runtime/core/context.h"
#include "runtime/exec/dependency.h"
#include "runtime/exec/event_status.h"
#include "src/base/clock.h"
#include "src/base/result.h"

namespace lanewise {

class Queue;

/// Nanoseconds on the clock of `now_ns()`; zero: the status has not been reached, or times are not recorded.
struct EventTimes {
  std::uint64_t queued = 0;
  std::uint64_t submit = 0;
  std::uint64_t start = 0;
  std::uint64_t end = 0;

  /// A part of the command runs now. The first one counts, whichever it is: the thread that took the first part may be
  /// stopped by the system before it runs it, while others run theirs.
  void started() {
    std::atomic_ref<std::uint64_t> first(start);
    std::uint64_t none = 0;
    if (first.load(std::memory_order_relaxed) == none)
      first.compare_exchange_strong(none, now_ns(), std::memory_order_relaxed);
  }
  /// By the clock, a command that does nothing may end in the nanosecond in which it starts; applications divide by its
  /// duration, so it is at least one.
  void ended(std::uint64_t now) { end = now > start ? now : start + 1; }
};

class Event : public EventObject {
 public:
  using Callback = EventStatus::Callback;

  /// Stays valid as long as the event.
  [[nodiscard]] virtual Context& context() const = 0;
  /// Null for user events. Stays valid as long as the event, even if the application has released the queue.
  [[nodiscard]] virtual Queue* queue() const { return nullptr; }
  /// What CL_EVENT_COMMAND_QUEUE gives: null as well for a run on several queues.
  [[nodiscard]] Queue* shown_queue() const { return on_several_queues_ ? nullptr : queue(); }
  /// Before the application has the event.
  void set_on_several_queues() { on_several_queues_ = true; }
  [[nodiscard]] cl_command_type type() const { return type_; }
  [[nodiscard]] bool is_user() const { return type_ == CL_COMMAND_USER; }
  /// CL_QUEUED, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE or a negative error. CL_COMPLETE and errors are final.
  [[nodiscard]] cl_int status() const { return status_.get(); }
  [[nodiscard]] bool ended() const { return status() <= CL_COMPLETE; }

  /// How many dependencies have not ended yet: those of its wait list and those that the order of its queue adds.
  [[nodiscard]] virtual std::uint32_t open_dependencies() const { return 0; }

  /// Blocks until the event has ended and returns its final status. The calling thread first runs what a command needs
  /// from its own queue, then sleeps. In a forked child: CL_OUT_OF_RESOURCES unless it has ended.
  cl_int wait();
  /// Makes sure that a command and everything it waits for runs without further calls (clFlush, status queries).
  void flush() {
    if (!ended()) start_commands();
  }
  /// Sleeps until the event has ended, and runs nothing meanwhile.
  void sleep() const { status_.sleep(); }

  /// `callback` runs once when the status is `trigger` or past it: within this call if it is now, unless this thread is
  /// inside of a callback; else on the callback thread. It gets `trigger`, or the error of a failed command. Errors:
  /// CL_OUT_OF_HOST_MEMORY.
  Result<void> add_callback(cl_int trigger, Callback callback, void* user_data);

  /// Complete once the event has ended. All zero if the queue does not profile.
  [[nodiscard]] const EventTimes& times() const { return times_; }
  /// When its own run ended, on the clock of `times()`. `end` is that of its children as well.
  [[nodiscard]] virtual std::uint64_t run_end() const { return times_.end; }
  /// Whether API 5.15 allows profiling queries: profiling queue, no user event, CL_COMPLETE.
  [[nodiscard]] bool has_times() const { return profiled_ && status() == CL_COMPLETE; }

  /// Nobody will set its status any more: a user event that has not ended fails. Nothing happens for commands.
  virtual void give_up() {}

  /// From now on `after` waits for the end of this event; if `carries_error`, it fails where the event does.
  void precede(Dependent& after, Edge& edge, bool carries_error) {
    if (!after.wait_for(successors_, edge, carries_error) && carries_error && status() < 0) after.fail();
  }

 protected:
  /// @param terminable  its context can be terminated, which ends the event too
  Event(cl_command_type type, cl_int status, bool profiled, bool terminable)
      : status_(status, terminable), type_(type), profiled_(profiled) {}

  /// Publishes the final status, wakes waiters and appends the dependants that became ready to `ready`.
  void close(cl_int status, DependentList& ready) { successors_.tell(status_.end(*this, status), ready); }
  [[nodiscard]] EventStatus& status_word() { return status_; }
  [[nodiscard]] const EventStatus& status_word() const { return status_; }
  [[nodiscard]] bool profiled() const { return profiled_; }
  [[nodiscard]] EventTimes& recorded_times() { return times_; }

 private:
  /// Starts the commands that the event needs and that have not been given to threads yet; the event has not ended.
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Events: the nodes of the command graph.
///
/// A command's event counts its open dependencies; every dependency is an edge that the *dependent* stores and that
/// hangs in the successor list of the event it waits for. Whoever brings the count to zero hands the command to the
/// scheduler. An event holds no reference to what it waits for, so a long chain never dies recursively.
///
/// A command in flight keeps its own event alive, and through it the queue and the context, whatever the application
/// releases meanwhile.
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <span>

#include "runtime/core/context.h"
#include "runtime/exec/work.h"
#include "runtime/object/object.h"
#include "runtime/object/pool.h"
#include "src/base/result.h"

namespace lanewise {

class Event;
class Queue;
class Scheduler;

/// "`dependent` waits for the event whose successor list this hangs in."
struct Edge {
  Edge* next = nullptr;
  Event* dependent = nullptr;
  bool carries_error = false;  ///< from a wait list; the order of a queue carries none
};

/// Singly linked queue of events through `Event::link_`; each event is in at most one.
class EventList {
 public:
  [[nodiscard]] bool empty() const { return head_ == nullptr; }
  void push(Event& event);
  Event* pop();

 private:
  Event* head_ = nullptr;
  Event* tail_ = nullptr;
};

/// Nanoseconds on the clock of `now_ns()`; zero: not reached, or not recorded.
struct EventTimes {
  std::uint64_t queued = 0;
  std::uint64_t submit = 0;
  std::uint64_t start = 0;
  std::uint64_t end = 0;

  /// A command that does nothing ends in the nanosecond in which it starts, if the clock says so; applications divide
  /// by the time it took, so it takes at least one.
  void ended(std::uint64_t now) { end = now > start ? now : start + 1; }
};

class Event final : public Object<_cl_event, Tag::event> {
 public:
  using Callback = void(CL_CALLBACK*)(cl_event, cl_int, void*);

  /// A user event, in state CL_SUBMITTED. Errors: CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES (forked child).
  static Result<Ref<Event>> user(Context& context);

  [[nodiscard]] Context& context() const;
  /// Null for user events. Stays valid as long as the event, even if the application has released the queue.
  [[nodiscard]] Queue* queue() const { return queue_; }
  [[nodiscard]] cl_command_type type() const { return type_; }
  [[nodiscard]] bool is_user() const { return type_ == CL_COMMAND_USER; }
  /// CL_QUEUED, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE or a negative error. CL_COMPLETE and errors are final.
  [[nodiscard]] cl_int status() const { return status_.load(std::memory_order_acquire); }
  [[nodiscard]] bool ended() const { return status() <= CL_COMPLETE; }

  /// How many dependencies have not ended yet: those of its wait list and those that its queue's order adds.
  [[nodiscard]] std::uint32_t open_dependencies() const { return open_.load(std::memory_order_relaxed); }

  /// Blocks until the command has ended and returns its final status. The calling thread first runs what the command
  /// needs from its own queue, then sleeps. In a forked child: CL_OUT_OF_RESOURCES unless it has ended.
  cl_int wait();
  /// Makes sure that the command and what it waits for runs without further calls (clFlush, status queries).
  void flush();

  /// `callback` runs once on the callback thread when the status is `trigger` or past it, which may be at once; it gets
  /// `trigger`, or the error of a failed command. Errors: CL_OUT_OF_HOST_MEMORY.
  Result<void> add_callback(cl_int trigger, Callback callback, void* user_data);

  /// Ends a user event. CL_INVALID_OPERATION if it is no user event or has been set already, CL_OUT_OF_RESOURCES in a
  /// forked child. Never runs a command on the calling thread.
  cl_int set_user_status(cl_int status);

  /// Complete once the event has ended. All zero if the queue does not profile.
  [[nodiscard]] const EventTimes& times() const { return times_; }
  /// Whether API 5.15 allows profiling queries: profiling queue, no user event, CL_COMPLETE.
  [[nodiscard]] bool has_times() const;

 private:
  friend class Queue;
  friend class Scheduler;
  friend class EventList;
  struct CallbackNode;
  /// Gives nothing back to malloc: handles of events are looked at after their end as well (handle_memory.h).
  using Pool = BlockPool<Event, std::numeric_limits<int>::max()>;
  static constexpr std::size_t kInlineEdges = 4;

  Event(Queue& queue, cl_command_type type);  ///< a command, in state CL_QUEUED
  explicit Event(Context& context);           ///< a user event
  ~Event() override;
  void destroy() noexcept override;
  static void* operator new(std::size_t size, const std::nothrow_t&) noexcept;
  static void operator delete(void* memory) noexcept;

  /// Waits for `before` as well. The event must not have been armed yet.
  void depend_on(Event& before, Edge& edge, bool carries_error);
  /// Drops one open dependency; true if it was the last one.
  [[nodiscard]] bool drop_dependency() { return open_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  /// Moves to CL_SUBMITTED or CL_RUNNING and tells the callbacks. False if the command has been abandoned, which is
  /// possible in contexts that can be terminated only; there it may be called again.
  bool advance(cl_int status);
  /// The context is terminated: publishes that, unless a work that nobody stops has begun. The command stays in the
  /// graph until its turn comes, and then ends without running.
  void abandon();
  [[nodiscard]] bool terminated() const { return terminable_ && context().terminated(); }
  /// Publishes the final status, wakes waiters and appends the dependants that became ready to `ready`.
  void close(cl_int status, EventList& ready);
  void tell_successors(cl_int status, EventList& ready);
  void fire_callbacks();
  void end_user(cl_int status);
  void sleep() const;

  std::atomic<cl_int> status_;
  std::atomic<std::uint32_t> open_{1};      ///< open dependencies; the first one is the enqueue itself
  std::atomic<Edge*> successors_{nullptr};  ///< who waits for this; closed with a sentinel
  std::atomic<CallbackNode*> callbacks_{nullptr};
  std::atomic<cl_int> dependency_error_{CL_SUCCESS};
  cl_command_type type_;
  const bool terminable_;             ///< its context can be terminated
  bool stoppable_ = true;             ///< no work, or one that has been stopped when its context is terminated
  bool collects_ = false;             ///< marker or barrier that waits for everything before it
  bool collected_ = false;            ///< such a one waits for this; under the queue's lock
  std::atomic<bool> claimed_{false};  ///< user event: somebody has set its status
  Ref<Context> context_;              ///< of a user event; a command has its queue's
  Queue* queue_;                      ///< counted; null for user events
  std::uint64_t sequence_ = 0;        ///< position in the queue
  WorkPtr work_;

  std::uint64_t pieces_ = 0;
  std::uint64_t stack_bytes_ = 0;  ///< Work::stack_bytes
  /// Estimated again when the command is ready, while the thread that enqueued it may look.
  std::atomic<std::uint64_t> cost_ns_{0};  ///< of the whole work on one thread, as far as it is known; 0: it is not

  // Owned by the scheduler from the moment that the last dependency is gone.
  std::uint64_t grain_ = 1;
  std::atomic<std::uint64_t> next_piece_{0};
  std::atomic<std::uint64_t> pieces_left_{0};  ///< not finished; zero: the command has ended
  std::atomic<std::uint64_t> chunk_{1};
  std::atomic<std::uint64_t> spent_ns_{0};  ///< on all threads; zero: not measured
  std::atomic<cl_int> work_error_{CL_SUCCESS};
  bool listed_ = false;  ///< in the scheduler's ready list; under its lock
  Event* link_ = nullptr;
  Event* previous_ = nullptr;  ///< with link_: the ready list is doubly linked

  Event* queue_next_ = nullptr;  ///< outstanding commands of an out-of-order queue; under its lock
  Event* queue_previous_ = nullptr;

  EventTimes times_;
  Edge edges_[kInlineEdges];
  std::unique_ptr<Edge[]> wait_edges_;   ///< of a wait list that does not fit into edges_
  std::unique_ptr<Edge[]> order_edges_;  ///< of a marker or barrier that collects more than fits into edges_
};

}  // namespace lanewise

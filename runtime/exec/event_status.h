// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The status of an event, with its transitions, its callbacks and the threads that sleep until it is final.
#pragma once

#include <CL/cl.h>

#include <atomic>

#include "runtime/object/object.h"
#include "src/base/result.h"

namespace lanewise {

/// An event as its status sees it: a handle with a reference count. The class Event derives from it (event.h).
using EventObject = Object<_cl_event, Tag::event>;

class EventStatus {
 public:
  using Callback = void(CL_CALLBACK*)(cl_event, cl_int, void*);

  /// @param terminable  the context can be terminated: the event may then end before its command does
  EventStatus(cl_int first, bool terminable) : value_(first), terminable_(terminable) {}
  EventStatus(const EventStatus&) = delete;
  EventStatus& operator=(const EventStatus&) = delete;
  ~EventStatus();

  /// CL_QUEUED, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE or a negative error. CL_COMPLETE and errors are final.
  [[nodiscard]] cl_int get() const { return value_.load(std::memory_order_acquire); }
  [[nodiscard]] bool terminable() const { return terminable_; }

  // `event` is always the event whose status this is.

  /// Moves to CL_SUBMITTED or CL_RUNNING and fires the callbacks. False: the event has been abandoned, which happens
  /// only to terminable events; `advance` may then be called more than once.
  bool advance(EventObject& event, cl_int status);
  /// Publishes CL_CONTEXT_TERMINATED_KHR, unless the status is final, or is CL_RUNNING and `running_too` is false.
  void abandon(EventObject& event, bool running_too);
  /// Publishes the final status and wakes sleeping threads. Returns the published status, which after `abandon` is
  /// still CL_CONTEXT_TERMINATED_KHR.
  cl_int end(EventObject& event, cl_int status);
  /// Sleeps until the status is final.
  void sleep() const;

  /// Does what Event::add_callback does, without the flush.
  Result<void> add_callback(EventObject& event, cl_int trigger, Callback callback, void* user_data);

 private:
  struct CallbackNode;
  /// Fires the callbacks that are due; called after each change of the status.
  void tell_callbacks(EventObject& event) {
    if (callbacks_.load(std::memory_order_seq_cst) != nullptr) fire(event);
  }
  void fire(EventObject& event);

  std::atomic<cl_int> value_;
  const bool terminable_;
  std::atomic<CallbackNode*> callbacks_{nullptr};
};

}  // namespace lanewise

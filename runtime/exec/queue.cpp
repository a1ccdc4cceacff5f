// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/queue.h"

#include <CL/cl_ext.h>

#include <array>
#include <new>
#include <utility>

#include "runtime/exec/scheduler.h"
#include "runtime/process/fork_guard.h"
#include "src/base/clock.h"

namespace lanewise {

Queue::Queue(Context& context, Device& device, cl_command_queue_properties properties,
             std::vector<cl_queue_properties> property_list, QueueHints hints)
    : context_(context),
      device_(device),
      scheduler_(Scheduler::of(device)),
      properties_(properties),
      property_list_(std::move(property_list)),
      hints_(hints) {}

Ref<Queue> Queue::create(Context& context, Device& device, cl_command_queue_properties properties,
                         std::vector<cl_queue_properties> property_list, QueueHints hints) {
  auto queue = Ref<Queue>::adopt(new Queue(context, device, properties, std::move(property_list), hints));
  context.enter(*queue);
  return queue;
}

Result<Ref<Event>> Queue::submit(cl_command_type type, WorkPtr work, std::span<Event* const> waits, SubmitKind kind,
                                 Start start) {
  if (in_forked_child()) return Error{CL_OUT_OF_RESOURCES, "not usable after fork"};
  if (context_->terminated()) return Error{CL_CONTEXT_TERMINATED_KHR, "the context has been terminated"};
  auto* event = new (std::nothrow) Event(*this, type);
  if (event == nullptr) return Error{CL_OUT_OF_HOST_MEMORY, "event"};
  Ref<Event> made = Ref<Event>::adopt(event);

  Edge* edges = event->edges_ + 1;  // the first one is the queue's
  if (waits.size() > Event::kInlineEdges - 1) {
    event->wait_edges_.reset(new (std::nothrow) Edge[waits.size()]);
    edges = event->wait_edges_.get();
    if (edges == nullptr) return Error{CL_OUT_OF_HOST_MEMORY, "wait list"};
  }
  event->collects_ = kind != SubmitKind::normal && waits.empty();
  if (work != nullptr) {
    event->pieces_ = work->pieces();
    event->cost_ns_.store(Scheduler::cost_of(*work), std::memory_order_relaxed);
    event->stoppable_ = work->stoppable();
    event->stack_bytes_ = work->stack_bytes();
  }
  event->work_ = std::move(work);
  event->sequence_ = issued_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (profiling()) event->times_.queued = now_ns();

  event->retain_internal();  // the command's own, until it has ended
  if (in_order()) {
    order_in(*event, event->edges_[0]);
  } else if (!order_out(*event, kind, event->edges_[0])) {
    event->release_internal();
    return Error{CL_OUT_OF_HOST_MEMORY, "marker"};
  }
  for (Event* before : waits) event->depend_on(*before, *edges++, true);

  if (profiling()) event->times_.submit = now_ns();
  event->advance(CL_SUBMITTED);
  if (event->terminated()) event->abandon();  // the termination may have come before it was in the list
  scheduler_.enqueued(*event, event->drop_dependency(), start);
  return made;
}

void Queue::list(Event& event) {
  event.queue_next_ = outstanding_;
  if (outstanding_ != nullptr) outstanding_->queue_previous_ = &event;
  outstanding_ = &event;
  ++uncollected_;
}

void Queue::unlist(Event& event) {
  if (abandon_next_ == &event) abandon_next_ = event.queue_next_;
  if (event.queue_previous_ != nullptr) {
    event.queue_previous_->queue_next_ = event.queue_next_;
  } else {
    outstanding_ = event.queue_next_;
  }
  if (event.queue_next_ != nullptr) event.queue_next_->queue_previous_ = event.queue_previous_;
  if (!event.collected_) --uncollected_;
}

void Queue::abandon() {
  // In parts, because nothing is called under the lock and no memory may be missing. What is listed meanwhile is in
  // front of the cursor and sees itself that the context has been terminated.
  constexpr std::size_t kPart = 64;
  const auto next_part = [&](std::array<Ref<Event>, kPart>& part) {
    const std::scoped_lock lock(mutex_);
    std::size_t count = 0;
    for (; abandon_next_ != nullptr && count < kPart; abandon_next_ = abandon_next_->queue_next_)
      part[count++] = Ref<Event>(*abandon_next_);
    return count;
  };
  {
    const std::scoped_lock lock(mutex_);
    abandon_next_ = outstanding_;
  }
  for (;;) {
    std::array<Ref<Event>, kPart> part;
    const std::size_t count = next_part(part);
    if (count == 0) return;
    for (std::size_t i = 0; i < count; ++i) part[i]->abandon();
  }
}

void Queue::order_in(Event& event, Edge& edge) {
  if (event.terminable_) {
    const std::scoped_lock lock(mutex_);
    list(event);
  }
  event.retain_internal();  // for last_
  Event* before = last_.exchange(&event, std::memory_order_acq_rel);
  if (before == nullptr) return;
  event.depend_on(*before, edge, false);
  before->release_internal();
}

bool Queue::order_out(Event& event, SubmitKind kind, Edge& edge) {
  std::size_t room = Event::kInlineEdges;
  Edge* edges = event.edges_;  // what collects has no wait list, so they are all free
  for (;;) {
    {
      const std::scoped_lock lock(mutex_);
      if (!event.collects_ || uncollected_ <= room) {
        if (event.collects_) {
          collect(event, edges);
        } else if (barrier_ != nullptr) {
          event.depend_on(*barrier_, edge, false);
        }
        if (kind == SubmitKind::barrier) barrier_ = &event;
        list(event);
        return true;
      }
      room = uncollected_ + uncollected_ / 2;
    }
    event.order_edges_.reset(new (std::nothrow) Edge[room]);
    edges = event.order_edges_.get();
    if (edges == nullptr) return false;
  }
}

void Queue::collect(Event& event, Edge* edges) {
  for (Event* before = outstanding_; before != nullptr && !before->collected_; before = before->queue_next_) {
    before->collected_ = true;
    event.depend_on(*before, *edges++, false);
  }
  uncollected_ = 0;
}

void Queue::forget(Event& event) {
  if (in_order()) {
    if (event.terminable_) {
      const std::scoped_lock lock(mutex_);
      unlist(event);
    }
    Event* expected = &event;
    if (last_.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel)) event.release_internal();
    return;
  }
  const std::scoped_lock lock(mutex_);
  unlist(event);
  if (barrier_ == &event) barrier_ = nullptr;
}

cl_int Queue::finish() {
  if (in_forked_child()) return CL_OUT_OF_RESOURCES;
  if (context_->terminated()) return CL_CONTEXT_TERMINATED_KHR;
  if (in_order()) {
    if (last_.load(std::memory_order_acquire) == nullptr) return CL_SUCCESS;
  } else {
    const std::scoped_lock lock(mutex_);
    if (outstanding_ == nullptr) return CL_SUCCESS;
  }
  auto marker = submit(CL_COMMAND_MARKER, nullptr, {}, SubmitKind::marker, Start::on_wait);
  if (!marker.ok()) return marker.error().code;
  const cl_int status = marker.value()->wait();
  return status == CL_CONTEXT_TERMINATED_KHR ? status : CL_SUCCESS;
}

void Queue::flush() {
  scheduler_.kick();
}

}  // namespace lanewise

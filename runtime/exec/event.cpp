// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/event.h"

#include <CL/cl_ext.h>

#include <new>
#include <utility>

#include "runtime/exec/queue.h"
#include "runtime/exec/scheduler.h"
#include "runtime/process/callback_thread.h"
#include "runtime/process/fork_guard.h"

namespace lanewise {

namespace {
/// What `successors_` points to once the event has ended and its successors have been told.
constinit Edge g_closed{};
}  // namespace

void EventList::push(Event& event) {
  event.link_ = nullptr;
  if (tail_ != nullptr) {
    tail_->link_ = &event;
  } else {
    head_ = &event;
  }
  tail_ = &event;
}

Event* EventList::pop() {
  Event* event = head_;
  if (event != nullptr) {
    head_ = std::exchange(event->link_, nullptr);
    if (head_ == nullptr) tail_ = nullptr;
  }
  return event;
}

/// A registered callback; becomes the job of the callback thread when its time has come.
struct Event::CallbackNode final : CallbackJob {
  CallbackNode(cl_int when, Callback what, void* data) : trigger(when), function(what), user_data(data) {}
  void run() noexcept override {
    function(event->handle(), status, user_data);
    delete this;
  }

  cl_int trigger;
  Callback function;
  void* user_data;
  cl_int status = 0;
  Ref<Event> event;  ///< from the moment that it is posted: a callback comes before its event's end
  CallbackNode* below = nullptr;
};

void* Event::operator new(std::size_t size, const std::nothrow_t& nothrow) noexcept {
  if constexpr (Pool::kEnabled) return Pool::take();
  return Object::operator new(size, nothrow);
}
void Event::operator delete(void* memory) noexcept {
  if constexpr (Pool::kEnabled) return Pool::give(memory);
  Object::operator delete(memory);
}

Event::Event(Queue& queue, cl_command_type type)
    : status_(CL_QUEUED), type_(type), terminable_(queue.context().termination() != nullptr), queue_(&queue) {
  queue.retain_internal();
}

Event::Event(Context& context)
    : status_(CL_SUBMITTED), type_(CL_COMMAND_USER), terminable_(false), context_(context), queue_(nullptr) {}

Event::~Event() {
  for (CallbackNode* node = callbacks_.load(std::memory_order_relaxed); node != nullptr;) {
    delete std::exchange(node, node->below);
  }
  if (queue_ != nullptr) queue_->release_internal();
}

void Event::destroy() noexcept {
  // A user event that nobody can set any more: its dependants end with an error instead of never (API 5.11.1, note on
  // clReleaseEvent, allows to leak them).
  if (is_user() && !ended() && !in_forked_child()) {
    retain_internal();  // its callbacks hold it while they run; the last one to let go comes here again
    end_user(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    release_internal();
    return;
  }
  delete this;
}

Context& Event::context() const {
  return queue_ != nullptr ? queue_->context() : *context_;
}

Result<Ref<Event>> Event::user(Context& context) {
  if (in_forked_child()) return Error{CL_OUT_OF_RESOURCES, "not usable after fork"};
  auto* event = new (std::nothrow) Event(context);
  if (event == nullptr) return Error{CL_OUT_OF_HOST_MEMORY, "user event"};
  return Ref<Event>::adopt(event);
}

bool Event::has_times() const {
  return queue_ != nullptr && queue_->profiling() && status() == CL_COMPLETE;
}

void Event::depend_on(Event& before, Edge& edge, bool carries_error) {
  edge.dependent = this;
  edge.carries_error = carries_error;
  open_.fetch_add(1, std::memory_order_relaxed);
  Edge* head = before.successors_.load(std::memory_order_acquire);
  do {
    if (head == &g_closed) {
      open_.fetch_sub(1, std::memory_order_relaxed);  // never the last one: the enqueue still holds its own
      if (carries_error && before.status() < 0) {
        dependency_error_.store(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, std::memory_order_relaxed);
      }
      return;
    }
    edge.next = head;
  } while (
      !before.successors_.compare_exchange_weak(head, &edge, std::memory_order_acq_rel, std::memory_order_acquire));
}

bool Event::advance(cl_int status) {
  if (terminable_) [[unlikely]] {
    cl_int now = status_.load(std::memory_order_seq_cst);
    while (now > status && !status_.compare_exchange_weak(now, status, std::memory_order_seq_cst)) {
    }
    if (now <= CL_COMPLETE) return false;
    if (now > status && callbacks_.load(std::memory_order_seq_cst) != nullptr) fire_callbacks();
    return true;
  }
  // Sequentially consistent, like the exchange of `callbacks_`: either we see a new callback or it sees the status.
  status_.store(status, std::memory_order_seq_cst);
  if (callbacks_.load(std::memory_order_seq_cst) != nullptr) fire_callbacks();
  return true;
}

void Event::abandon() {
  cl_int now = status_.load(std::memory_order_seq_cst);
  do {
    if (now <= CL_COMPLETE || (now == CL_RUNNING && !stoppable_)) return;
  } while (!status_.compare_exchange_weak(now, CL_CONTEXT_TERMINATED_KHR, std::memory_order_seq_cst));
  status_.notify_all();
  if (callbacks_.load(std::memory_order_seq_cst) != nullptr) fire_callbacks();
}

void Event::close(cl_int status, EventList& ready) {
  if (terminable_) [[unlikely]] {
    // What has been abandoned keeps that status.
    cl_int now = status_.load(std::memory_order_seq_cst);
    while (now > CL_COMPLETE && !status_.compare_exchange_weak(now, status, std::memory_order_seq_cst)) {
    }
    status_.notify_all();
    if (callbacks_.load(std::memory_order_seq_cst) != nullptr) fire_callbacks();
    tell_successors(this->status(), ready);
    return;
  }
  // A full exchange and not a release store: `notify_all` looks for sleepers right after it.
  status_.exchange(status, std::memory_order_seq_cst);
  status_.notify_all();
  if (callbacks_.load(std::memory_order_seq_cst) != nullptr) fire_callbacks();
  tell_successors(status, ready);
}

void Event::tell_successors(cl_int status, EventList& ready) {
  Edge* stack = successors_.exchange(&g_closed, std::memory_order_acq_rel);
  Edge* in_order = nullptr;  // the list is a stack; dependants become ready in the order in which they were enqueued
  while (stack != nullptr) {
    Edge* edge = std::exchange(stack, stack->next);
    edge->next = in_order;
    in_order = edge;
  }
  while (in_order != nullptr) {
    // The edge lies in the dependent, which may end and vanish as soon as its count has dropped.
    Edge* edge = std::exchange(in_order, in_order->next);
    Event& dependent = *edge->dependent;
    if (status < 0 && edge->carries_error) {
      dependent.dependency_error_.store(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, std::memory_order_relaxed);
    }
    if (dependent.drop_dependency()) ready.push(dependent);
  }
}

Result<void> Event::add_callback(cl_int trigger, Callback callback, void* user_data) {
  auto* node = new (std::nothrow) CallbackNode(trigger, callback, user_data);
  if (node == nullptr) return Error{CL_OUT_OF_HOST_MEMORY, "event callback"};
  node->below = callbacks_.load(std::memory_order_relaxed);
  while (!callbacks_.compare_exchange_weak(node->below, node, std::memory_order_seq_cst)) {
  }
  if (status_.load(std::memory_order_seq_cst) <= trigger) fire_callbacks();
  flush();
  return {};
}

void Event::fire_callbacks() {
  // Takes the whole stack, posts what is due and puts the rest back. Whoever finds the stack empty because another
  // thread has it in hand may leave: that thread looks at the status again after putting back.
  for (;;) {
    CallbackNode* stack = callbacks_.exchange(nullptr, std::memory_order_seq_cst);
    const cl_int status = status_.load(std::memory_order_seq_cst);
    CallbackNode* in_order = nullptr;
    while (stack != nullptr) {
      CallbackNode* node = std::exchange(stack, stack->below);
      node->below = in_order;
      in_order = node;
    }
    bool kept = false;
    while (in_order != nullptr) {
      CallbackNode* node = std::exchange(in_order, in_order->below);
      if (status <= node->trigger) {
        node->status = status < 0 ? status : node->trigger;
        node->event = Ref<Event>(*this);
        post_callback(*node);
        continue;
      }
      kept = true;
      node->below = callbacks_.load(std::memory_order_relaxed);
      while (!callbacks_.compare_exchange_weak(node->below, node, std::memory_order_seq_cst)) {
      }
    }
    if (!kept || status_.load(std::memory_order_seq_cst) == status) return;
  }
}

cl_int Event::set_user_status(cl_int status) {
  if (in_forked_child()) return CL_OUT_OF_RESOURCES;
  if (!is_user() || claimed_.exchange(true, std::memory_order_acq_rel)) return CL_INVALID_OPERATION;
  const Ref<Event> keep(*this);  // a callback or a woken thread may give back the last reference
  end_user(status);
  return CL_SUCCESS;
}

void Event::end_user(cl_int status) {
  EventList ready;
  close(status, ready);
  // The queues of one context may belong to several devices; each command goes to its own.
  while (Event* event = ready.pop()) {
    EventList one;
    one.push(*event);
    event->queue_->scheduler().release(one);
  }
}

void Event::flush() {
  if (ended()) return;
  if (queue_ != nullptr) queue_->flush();
  // The commands that it waits for may belong to other devices; a user event has no queue at all.
  if (queue_ != nullptr && context().devices().size() == 1) return;
  for (const Ref<Device>& device : context().devices()) Scheduler::of(*device).kick();
}

cl_int Event::wait() {
  if (!ended()) {
    if (in_forked_child()) return CL_OUT_OF_RESOURCES;
    if (queue_ != nullptr) {
      queue_->scheduler().wait(*this);
    } else {
      flush();
      sleep();
    }
  }
  return status();
}

void Event::sleep() const {
  for (cl_int now = status(); now > CL_COMPLETE; now = status()) status_.wait(now, std::memory_order_acquire);
}

}  // namespace lanewise

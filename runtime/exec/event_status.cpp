// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/event_status.h"

#include <CL/cl_ext.h>

#include <new>
#include <utility>

#include "runtime/process/callback_thread.h"
#include "src/base/happens_before.h"

namespace lanewise {

/// A registered callback; becomes a job of the callback thread when the event reaches its status.
struct EventStatus::CallbackNode final : CallbackJob {
  CallbackNode(cl_int when, Callback what, void* data) : trigger(when), function(what), user_data(data) {}
  void run() noexcept override {
    function(event->handle(), status, user_data);
    delete this;
  }

  cl_int trigger;
  Callback function;
  void* user_data;
  cl_int status = 0;
  Ref<EventObject> event;  ///< set when it is posted: the event lives until its callbacks have run
  CallbackNode* below = nullptr;
};

EventStatus::~EventStatus() {
  for (CallbackNode* node = callbacks_.load(std::memory_order_relaxed); node != nullptr;) {
    delete std::exchange(node, node->below);
  }
}

bool EventStatus::advance(EventObject& event, cl_int status) {
  if (terminable_) [[unlikely]] {
    cl_int now = value_.load(std::memory_order_seq_cst);
    while (now > status && !value_.compare_exchange_weak(now, status, std::memory_order_seq_cst)) {
    }
    if (now <= CL_COMPLETE) return false;
    if (now > status) tell_callbacks(event);
    return true;
  }
  // Sequentially consistent, like the exchange of `callbacks_`: either we see a new callback or it sees the status.
  value_.store(status, std::memory_order_seq_cst);
  tell_callbacks(event);
  return true;
}

void EventStatus::abandon(EventObject& event, bool running_too) {
  cl_int now = value_.load(std::memory_order_seq_cst);
  do {
    if (now <= CL_COMPLETE || (now == CL_RUNNING && !running_too)) return;
  } while (!value_.compare_exchange_weak(now, CL_CONTEXT_TERMINATED_KHR, std::memory_order_seq_cst));
  value_.notify_all();
  tell_callbacks(event);
}

cl_int EventStatus::end(EventObject& event, cl_int status) {
  released(this);
  if (terminable_) [[unlikely]] {
    cl_int now = value_.load(std::memory_order_seq_cst);
    while (now > CL_COMPLETE && !value_.compare_exchange_weak(now, status, std::memory_order_seq_cst)) {
    }
    if (now <= CL_COMPLETE) status = now;
  } else {
    // A full exchange and not a release store: `notify_all` looks for sleepers right after it.
    value_.exchange(status, std::memory_order_seq_cst);
  }
  value_.notify_all();
  tell_callbacks(event);
  return status;
}

void EventStatus::sleep() const {
  for (cl_int now = get(); now > CL_COMPLETE; now = get()) value_.wait(now, std::memory_order_acquire);
}

Result<void> EventStatus::add_callback(EventObject& event, cl_int trigger, Callback callback, void* user_data) {
  // Waking a thread takes ten times as long as most callbacks do. Other drivers call at once too (AMD's, Intel's,
  // PoCL), so applications hold no lock here that their callback takes.
  if (const cl_int now = get(); now <= trigger && !InsideCallback::here()) {
    const InsideCallback inside;
    acquired(this);
    const Ref<EventObject> alive(event);  // the callback may release the event
    callback(event.handle(), now < 0 ? now : trigger, user_data);
    return {};
  }
  auto* node = new (std::nothrow) CallbackNode(trigger, callback, user_data);
  if (node == nullptr) return Error{CL_OUT_OF_HOST_MEMORY, "event callback"};
  node->below = callbacks_.load(std::memory_order_relaxed);
  while (!callbacks_.compare_exchange_weak(node->below, node, std::memory_order_seq_cst)) {
  }
  if (value_.load(std::memory_order_seq_cst) <= trigger) fire(event);
  return {};
}

void EventStatus::fire(EventObject& event) {
  // Takes the whole stack, posts the callbacks that are due and puts the others back. A thread that finds the stack
  // empty because another one has taken it may return: that one checks the status again after putting callbacks back.
  for (;;) {
    CallbackNode* stack = callbacks_.exchange(nullptr, std::memory_order_seq_cst);
    const cl_int status = value_.load(std::memory_order_seq_cst);
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
        node->event = Ref<EventObject>(event);
        post_callback(*node);
        continue;
      }
      kept = true;
      node->below = callbacks_.load(std::memory_order_relaxed);
      while (!callbacks_.compare_exchange_weak(node->below, node, std::memory_order_seq_cst)) {
      }
    }
    if (!kept || value_.load(std::memory_order_seq_cst) == status) return;
  }
}

}  // namespace lanewise

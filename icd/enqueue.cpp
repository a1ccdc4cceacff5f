// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/enqueue.h"

#include <CL/cl_egl.h>
#include <CL/cl_gl.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "icd/cast.h"
#include "runtime/exec/event.h"

namespace lanewise {

namespace {

/// API 5.10, event_wait_list: each event is valid and of the queue's context.
Event* checked_event(const Context& context, cl_event handle) {
  auto& event = as<Event>(handle, CL_INVALID_EVENT_WAIT_LIST);
  require(&event.context() == &context, CL_INVALID_CONTEXT, "an event of the wait list is of another context");
  return &event;
}

/// cl_khr_gl_event, cl_khr_egl_event: only commands that acquire and release objects wait for fences.
bool takes_fences(cl_command_type type) {
  return type == CL_COMMAND_ACQUIRE_GL_OBJECTS || type == CL_COMMAND_RELEASE_GL_OBJECTS ||
         type == CL_COMMAND_ACQUIRE_EGL_OBJECTS_KHR || type == CL_COMMAND_RELEASE_EGL_OBJECTS_KHR;
}

void check_list_shape(WaitList waits) {
  require((waits.events == nullptr) == (waits.count == 0), CL_INVALID_EVENT_WAIT_LIST,
          "event_wait_list and num_events_in_wait_list disagree");
}

/// The events of a wait list; short lists cost no allocation.
class CheckedWaits {
 public:
  /// @param also  one more event; null: none
  CheckedWaits(const Context& context, WaitList waits, Event* also = nullptr) {
    check_list_shape(waits);
    const std::size_t count = std::size_t{waits.count} + (also != nullptr ? 1 : 0);
    Event** to = inline_.data();
    if (count > inline_.size()) {
      more_.resize(count);
      to = more_.data();
    }
    for (cl_uint i = 0; i < waits.count; ++i) to[i] = checked_event(context, waits.events[i]);
    if (also != nullptr) to[waits.count] = also;
    events_ = {to, count};
  }
  [[nodiscard]] std::span<Event* const> events() const { return events_; }
  [[nodiscard]] bool have_fence() const {
    return std::any_of(events_.begin(), events_.end(), [](const Event* event) { return event->is_fence(); });
  }

 private:
  std::array<Event*, 16> inline_;
  std::vector<Event*> more_;
  std::span<Event* const> events_;
};

}  // namespace

void check_wait_list(const Context& context, WaitList waits) {
  check_list_shape(waits);
  for (cl_uint i = 0; i < waits.count; ++i) checked_event(context, waits.events[i]);
}

void check_none_failed(WaitList waits) {
  for (cl_uint i = 0; i < waits.count; ++i)
    require(as<Event>(waits.events[i], CL_INVALID_EVENT_WAIT_LIST).status() >= 0,
            CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "an event of the wait list has failed");
}

Ref<Event> submit(Queue& queue, cl_command_type type, WorkPtr work, WaitList waits, SubmitKind kind, Start start,
                  std::uint64_t begun) {
  Context& context = queue.context();
  require_live(context);
  const CheckedWaits checked(context, waits);
  if (context.shares()) [[unlikely]]
    require(takes_fences(type) || !checked.have_fence(), CL_INVALID_EVENT, "a command that waits for no fences");
  return unwrap(queue.submit(type, std::move(work), checked.events(), kind, start, begun));
}

void enqueue(Queue& queue, cl_command_type type, WorkPtr work, WaitList waits, cl_event* event, bool blocking,
             SubmitKind kind, std::uint64_t begun) {
  Ref<Event> submitted =
      submit(queue, type, std::move(work), waits, kind, blocking ? Start::on_wait : Start::soon, begun);
  if (blocking) {
    const cl_int status = submitted->wait();
    require(status >= CL_COMPLETE, status, "the blocking command failed");
    const cl_int late = queue.take_late_error();
    require(late == CL_SUCCESS, late, "an earlier launch had no code, or LANEWISE_CHECK=fatal found a fault");
  }
  if (event != nullptr) *event = submitted.detach()->handle();
}

void enqueue_after(Event& before, Queue& queue, cl_command_type type, WorkPtr work, WaitList waits, cl_event* event) {
  require_live(queue.context());
  const CheckedWaits checked(queue.context(), waits, &before);
  Ref<Event> submitted = unwrap(queue.submit(type, std::move(work), checked.events()));
  if (event != nullptr) *event = submitted.detach()->handle();
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/user_event.h"

#include "runtime/exec/scheduler.h"
#include "runtime/object/handle_pool.h"
#include "runtime/process/fork_guard.h"

namespace lanewise {

void* UserEvent::operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return HandlePool<UserEvent>::take(size);
}
void UserEvent::operator delete(void* memory) noexcept {
  HandlePool<UserEvent>::give(memory);
}

Result<Ref<UserEvent>> UserEvent::create(Context& context, cl_command_type type, EndedBy ended_by) {
  if (in_forked_child()) return Error{CL_OUT_OF_RESOURCES, "not usable after fork"};
  auto* event = new (std::nothrow) UserEvent(context, type, ended_by);
  if (event == nullptr) return Error{CL_OUT_OF_HOST_MEMORY, "user event"};
  return Ref<UserEvent>::adopt(event);
}

void UserEvent::destroy() noexcept {
  // The application can no longer set its status, so its dependants end with an error instead of waiting forever (API
  // 5.11.1, note on clReleaseEvent, allows either).
  if (!ended() && !in_forked_child()) {
    retain_internal();  // its callbacks hold references while they run; the last release calls this function again
    end(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    release_internal();
    return;
  }
  delete this;
}

cl_int UserEvent::set_status(cl_int status) {
  if (in_forked_child()) return CL_OUT_OF_RESOURCES;
  if (claimed_.exchange(true, std::memory_order_acq_rel)) return CL_INVALID_OPERATION;
  const Ref<Event> keep(*this);  // a callback or a woken thread may release the last reference
  end(status);
  return CL_SUCCESS;
}

void UserEvent::end(cl_int status) {
  if (ended_by_ == EndedBy::others) context_->count_user_event(-1);
  DependentList ready;
  close(status, ready);
  Scheduler::release(ready);
}

void UserEvent::start_commands() {
  // The queues of its context may belong to several devices.
  for (const Ref<Device>& device : context().devices()) Scheduler::of(*device).kick();
}

void UserEvent::wait_for_end() {
  start_commands();
  sleep();
}

}  // namespace lanewise

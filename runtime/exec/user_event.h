// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// User events (API 5.11), which the application ends, and events like them, which fences or the driver end.
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <cstddef>
#include <new>

#include "runtime/exec/event.h"
#include "src/base/result.h"

namespace lanewise {

class UserEvent final : public Event {
 public:
  enum class EndedBy { others, driver };

  /// Creates an event in state CL_SUBMITTED. Errors: CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES (forked child).
  /// @param ended_by  driver: it ends without a further action of the application
  static Result<Ref<UserEvent>> create(Context& context, cl_command_type type = CL_COMMAND_USER,
                                       EndedBy ended_by = EndedBy::others);
  /// The event as a user event; null: it is a command.
  static UserEvent* from(Event& event) { return event.is_user() ? static_cast<UserEvent*>(&event) : nullptr; }

  [[nodiscard]] Context& context() const override { return *context_; }

  /// Ends the event with `status`. Errors: CL_INVALID_OPERATION if its status has been set already, CL_OUT_OF_RESOURCES
  /// in a forked child. The calling thread runs no command.
  cl_int set_status(cl_int status);
  void give_up() override { (void)set_status(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST); }

  static void* operator new(std::size_t size, const std::nothrow_t&) noexcept;
  static void operator delete(void* memory) noexcept;

 private:
  UserEvent(Context& context, cl_command_type type, EndedBy ended_by)
      : Event(type, CL_SUBMITTED, false, false), context_(context), ended_by_(ended_by) {
    if (ended_by_ == EndedBy::others) context_->count_user_event(1);
  }
  ~UserEvent() override = default;
  void destroy() noexcept override;
  void start_commands() override;
  void wait_for_end() override;
  void end(cl_int status);

  const Ref<Context> context_;
  const EndedBy ended_by_;
  std::atomic<bool> claimed_{false};  ///< a thread has set the status
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/queue.h"

#include <CL/cl_ext.h>

#include <new>
#include <optional>
#include <utility>

#include "runtime/exec/command.h"
#include "runtime/exec/observe.h"
#include "runtime/exec/scheduler.h"
#include "runtime/exec/worker.h"
#include "runtime/object/inner.h"
#include "runtime/process/fork_guard.h"
#include "src/base/clock.h"
#include "src/base/happens_before.h"

namespace lanewise {

Queue::Queue(Context& context, Device& device, cl_command_queue_properties properties,
             std::vector<cl_queue_properties> property_list, QueueHints hints)
    : CommandOwner(context, device, Scheduler::of(device), properties, hints),
      property_list_(std::move(property_list)),
      order_(in_order()) {}

Ref<Queue> Queue::create(Context& context, Device& device, cl_command_queue_properties properties,
                         std::vector<cl_queue_properties> property_list, QueueHints hints) {
  auto queue = Ref<Queue>::adopt(new Queue(context, device, properties, std::move(property_list), hints));
  context.enter(*queue);
  return queue;
}

Ref<Queue> Queue::create_inner(Context& context, Device& device, cl_command_queue_properties properties,
                               std::uint64_t bytes) {
  Ref<Queue> queue = create(context, device, properties, {});
  queue->budget_ = std::make_unique<Budget>(bytes);
  return without_application(std::move(queue));
}

Result<Queue::Made> Queue::make(cl_command_type type, WorkPtr work, std::size_t waits) {
  if (in_forked_child()) return Error{CL_OUT_OF_RESOURCES, "not usable after fork"};
  if (context().terminated()) return Error{CL_CONTEXT_TERMINATED_KHR, "the context has been terminated"};
  auto* command = new (std::nothrow) Command(*this, type);
  if (command == nullptr) return Error{CL_OUT_OF_HOST_MEMORY, "event"};
  Made made{Ref<Event>::adopt(command), command, command->edges.for_waits(waits)};
  if (made.edges == nullptr) return Error{CL_OUT_OF_HOST_MEMORY, "wait list"};
  command->execution.set(std::move(work));
  if (profiling()) command->recorded_times().queued = now_ns();
  return made;
}

Result<Ref<Event>> Queue::submit(cl_command_type type, WorkPtr work, std::span<Event* const> waits, SubmitKind kind,
                                 Start start, std::uint64_t begun) {
  auto made = make(type, std::move(work), waits.size());
  if (!made.ok()) return made.error();
  auto [event, command, edges] = std::move(made).value();
  command->order.collects = kind != SubmitKind::normal && waits.empty();

  std::optional<observe::Enqueue> observer;
  if (observe::on()) [[unlikely]]
    observer.emplace(*command, waits);
  command->retain_internal();  // its own, until it has ended
  const std::uint64_t kicks = count_kicks();
  if (!order_.enter(*command, kind)) {
    command->release_internal();
    return Error{CL_OUT_OF_HOST_MEMORY, "marker"};
  }
  for (Event* before : waits) before->precede(*command, *edges++, true);

  if (profiling()) {
    EventTimes& times = command->recorded_times();
    if (begun != 0 && waits.empty())
      times.queued = times.submit = times.start = begun;
    else
      times.submit = now_ns();
  }
  command->advance(CL_SUBMITTED);
  if (command->terminated()) command->abandon();  // the context may have been terminated before the command was listed
  released(static_cast<Dependent*>(command));
  scheduler().enqueued(*command, command->drop_dependency(), start, kicks);
  return std::move(event);
}

Result<Ref<Event>> Queue::submit_child(Worker& worker, ChildCommand child) {
  if (budget_ != nullptr && !budget_->take(sizeof(Command))) return Error{CL_OUT_OF_RESOURCES, "the queue is full"};
  auto made = make(child.type, std::move(child.work), child.waits.size());
  auto& parent = static_cast<Command&>(*worker.running());
  const bool joined = made.ok() && made.value().command->become_child_of(parent);
  if (!joined) {
    if (budget_ != nullptr) budget_->give(sizeof(Command));
    return made.ok() ? Error{CL_OUT_OF_HOST_MEMORY, "children"} : made.error();
  }
  auto [event, command, edges] = std::move(made).value();
  if (child.has_captures) (void)command->make_family();  // without it there is nothing to capture
  std::optional<observe::Enqueue> observer;
  if (observe::on()) [[unlikely]]
    observer.emplace(*command, child.waits);

  command->retain_internal();  // its own, until it has ended
  for (Event* before : child.waits) before->precede(*command, *edges++, true);
  if (child.after == After::run) command->wait_for(parent.family()->after_run, command->edges.order(), false);
  if (profiling()) command->recorded_times().submit = now_ns();
  command->advance(CL_SUBMITTED);
  if (child.after == After::pieces) {
    worker.enqueueing().held.push_back(*command);
  } else {
    released(static_cast<Dependent*>(command));
    scheduler().enqueued(*command, command->drop_dependency(), Start::soon, count_kicks());
  }
  return std::move(event);
}

void Queue::start_commands() {
  flush();
  if (context().devices().size() == 1) return;
  for (const Ref<Device>& device : context().devices()) Scheduler::of(*device).kick();
}

void Queue::wait_for(Command& command) {
  scheduler().wait(command);
}

void Queue::forget(Command& command) {
  order_.forget(command);
  if (budget_ != nullptr) budget_->give(sizeof(Command));
}

cl_int Queue::finish() {
  if (in_forked_child()) return CL_OUT_OF_RESOURCES;
  if (context().terminated()) return CL_CONTEXT_TERMINATED_KHR;
  if (order_.empty()) return CL_SUCCESS;
  auto marker = submit(CL_COMMAND_MARKER, nullptr, {}, SubmitKind::marker, Start::on_wait);
  if (!marker.ok()) return marker.error().code;
  const cl_int status = marker.value()->wait();
  return status == CL_CONTEXT_TERMINATED_KHR ? status : CL_SUCCESS;
}

void Queue::flush() {
  scheduler().kick();
}

}  // namespace lanewise

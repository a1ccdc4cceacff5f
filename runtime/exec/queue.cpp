// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/queue.h"

#include <CL/cl_ext.h>

#include <new>
#include <utility>

#include "runtime/exec/command.h"
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
      hints_(hints),
      order_(in_order()) {}

Ref<Queue> Queue::create(Context& context, Device& device, cl_command_queue_properties properties,
                         std::vector<cl_queue_properties> property_list, QueueHints hints) {
  auto queue = Ref<Queue>::adopt(new Queue(context, device, properties, std::move(property_list), hints));
  context.enter(*queue);
  return queue;
}

Result<Ref<Event>> Queue::submit(cl_command_type type, WorkPtr work, std::span<Event* const> waits, SubmitKind kind,
                                 Start start, Event* parent) {
  if (in_forked_child()) return Error{CL_OUT_OF_RESOURCES, "not usable after fork"};
  if (context_->terminated()) return Error{CL_CONTEXT_TERMINATED_KHR, "the context has been terminated"};
  auto* command = new (std::nothrow) Command(*this, type);
  if (command == nullptr) return Error{CL_OUT_OF_HOST_MEMORY, "event"};
  Ref<Event> made = Ref<Event>::adopt(command);

  Edge* edges = command->edges.for_waits(waits.size());
  if (edges == nullptr) return Error{CL_OUT_OF_HOST_MEMORY, "wait list"};
  command->order.collects = kind != SubmitKind::normal && waits.empty();
  command->execution.set(std::move(work));
  if (profiling()) command->recorded_times().queued = now_ns();

  command->retain_internal();  // its own, until it has ended
  if (parent != nullptr) {
    command->become_child_of(*static_cast<Command*>(parent));
  } else if (!order_.enter(*command, kind)) {
    command->release_internal();
    return Error{CL_OUT_OF_HOST_MEMORY, "marker"};
  }
  for (Event* before : waits) command->wait_for(*before, *edges++, true);

  if (profiling()) command->recorded_times().submit = now_ns();
  command->advance(CL_SUBMITTED);
  if (command->terminated()) command->abandon();  // the termination may have come before it was in the list
  scheduler_.enqueued(*command, command->drop_dependency(), start);
  return made;
}

cl_int Queue::finish() {
  if (in_forked_child()) return CL_OUT_OF_RESOURCES;
  if (context_->terminated()) return CL_CONTEXT_TERMINATED_KHR;
  if (order_.empty()) return CL_SUCCESS;
  auto marker = submit(CL_COMMAND_MARKER, nullptr, {}, SubmitKind::marker, Start::on_wait);
  if (!marker.ok()) return marker.error().code;
  const cl_int status = marker.value()->wait();
  return status == CL_CONTEXT_TERMINATED_KHR ? status : CL_SUCCESS;
}

void Queue::flush() {
  scheduler_.kick();
}

}  // namespace lanewise

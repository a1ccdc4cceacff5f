// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events, markers, barriers, native kernels.
#include <atomic>

#include "tests/fuzz/api/check.h"
#include "tests/fuzz/api/world.h"

namespace lanewise::fuzz {

namespace {

/// Callbacks may query the event, and retain it.
void CL_CALLBACK on_event(cl_event event, cl_int status, void*) {
  expect(status <= CL_SUBMITTED, "status of a callback");
  cl_int now = 1;
  expect(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof now, &now, nullptr) == CL_SUCCESS,
         "an event is valid in its callback");
  expect(clRetainEvent(event) == CL_SUCCESS && clReleaseEvent(event) == CL_SUCCESS, "retain in a callback");
}

void CL_CALLBACK native(void*) {}

void create_user_event(World& world, Draw& draw) {
  if (world.events.live() > World::kMostObjects) return;
  cl_int code = 0;
  world.events.add(clCreateUserEvent(world.context(draw), draw.one_in(8) ? nullptr : &code));
}

void set_status(World& world, Draw& draw) {
  const cl_int codes[] = {CL_COMPLETE, CL_COMPLETE, -1, -9999, CL_RUNNING, CL_SUBMITTED};
  static_cast<void>(clSetUserEventStatus(world.event(draw), draw.among(codes)));
}

void set_callback(World& world, Draw& draw) {
  const cl_int triggers[] = {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED, CL_QUEUED, -1};
  static_cast<void>(
      clSetEventCallback(world.event(draw), draw.among(triggers), draw.one_in(16) ? nullptr : on_event, nullptr));
}

void wait_for(World& world, Draw& draw) {
  world.settle();
  cl_event list[4] = {};
  for (auto& event : list) event = world.event(draw);
  static_cast<void>(clWaitForEvents(draw.below(5), draw.one_in(16) ? nullptr : list));
}

void marker(World& world, Draw& draw) {
  const auto queue = world.queue(draw);
  if (draw.one_in(3)) {
    Wait wait(world, draw);
    static_cast<void>(draw.one_in(2) ? clEnqueueMarkerWithWaitList(queue, wait.count(), wait.list(), wait.event())
                                     : clEnqueueBarrierWithWaitList(queue, wait.count(), wait.list(), wait.event()));
    return;
  }
  cl_event list[4] = {};
  for (auto& event : list) event = world.event(draw);
  switch (draw.below(3)) {
    case 0: {
      cl_event made = nullptr;
      static_cast<void>(clEnqueueMarker(queue, draw.one_in(4) ? nullptr : &made));
      world.events.add(made);
      break;
    }
    case 1:
      static_cast<void>(clEnqueueBarrier(queue));
      break;
    default:
      static_cast<void>(clEnqueueWaitForEvents(queue, draw.below(5), draw.one_in(16) ? nullptr : list));
  }
}

void native_kernel(World& world, Draw& draw) {
  struct Arguments {
    void* memory[3];
    int number;
  } arguments{};
  cl_mem list[3] = {};
  const void* places[3] = {};
  for (int i = 0; i < 3; ++i) {
    list[i] = world.memory(draw);
    places[i] = draw.one_in(16) ? nullptr : &arguments.memory[i];
  }
  Wait wait(world, draw);
  static_cast<void>(clEnqueueNativeKernel(
      world.queue(draw), draw.one_in(16) ? nullptr : native, draw.one_in(16) ? nullptr : &arguments,
      draw.one_in(16) ? draw.byte() % sizeof arguments : sizeof arguments, draw.below(4),
      draw.one_in(8) ? nullptr : list, draw.one_in(8) ? nullptr : places, wait.count(), wait.list(), wait.event()));
}

}  // namespace

std::vector<Call> event_calls() {
  return {create_user_event, create_user_event, set_status, set_callback, wait_for, marker, marker, native_kernel};
}

}  // namespace lanewise::fuzz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Events, user events, callbacks, markers, barriers, profiling (API 5.11, 5.12, 5.15).
#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "tests/api/fixture.h"
#include "tests/time_limits.h"

namespace lanewise::test {
namespace {

class EventApi : public WithContext {
 protected:
  void SetUp() override {
    WithContext::SetUp();
    in_order = clCreateCommandQueue(context, device, 0, nullptr);
    out_of_order = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, nullptr);
    buffer = clCreateBuffer(context, 0, 1024, nullptr, nullptr);
    other_context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    foreign = clCreateUserEvent(other_context, nullptr);
  }
  void TearDown() override {
    EXPECT_EQ(clReleaseEvent(foreign), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(other_context), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(out_of_order), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(in_order), CL_SUCCESS);
    WithContext::TearDown();
  }
  cl_event user() {
    cl_int code = 1;
    const cl_event event = clCreateUserEvent(context, &code);
    EXPECT_EQ(code, CL_SUCCESS);
    return event;
  }
  /// A fill of the buffer that waits for `gate`.
  cl_event fill(cl_command_queue queue, cl_event gate) {
    const cl_uint zero = 0;
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, 1024, gate != nullptr ? 1 : 0,
                                  gate != nullptr ? &gate : nullptr, &event),
              CL_SUCCESS);
    return event;
  }
  template <class T>
  static T value(cl_event event, cl_event_info param) {
    T result{};
    std::size_t size = 0;
    EXPECT_EQ(clGetEventInfo(event, param, sizeof result, &result, &size), CL_SUCCESS);
    EXPECT_EQ(size, sizeof result);
    return result;
  }
  static cl_int status(cl_event event) { return value<cl_int>(event, CL_EVENT_COMMAND_EXECUTION_STATUS); }

  cl_command_queue in_order = nullptr;
  cl_command_queue out_of_order = nullptr;
  cl_mem buffer = nullptr;
  cl_context other_context = nullptr;
  cl_event foreign = nullptr;
};

TEST_F(EventApi, UserEvents) {
  const cl_event event = user();
  EXPECT_EQ(status(event), CL_SUBMITTED);
  EXPECT_EQ(value<cl_command_queue>(event, CL_EVENT_COMMAND_QUEUE), nullptr);
  EXPECT_EQ(value<cl_context>(event, CL_EVENT_CONTEXT), context);
  EXPECT_EQ(value<cl_command_type>(event, CL_EVENT_COMMAND_TYPE), cl_command_type{CL_COMMAND_USER});
  EXPECT_EQ(value<cl_uint>(event, CL_EVENT_REFERENCE_COUNT), 1u);
  EXPECT_EQ(clSetUserEventStatus(event, CL_RUNNING), CL_INVALID_VALUE);
  EXPECT_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_INVALID_OPERATION);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  cl_ulong time = 0;
  EXPECT_EQ(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr),
            CL_PROFILING_INFO_NOT_AVAILABLE);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);

  cl_int code = 1;
  EXPECT_EQ(clCreateUserEvent(nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(clSetUserEventStatus(nullptr, CL_COMPLETE), CL_INVALID_EVENT);
  const cl_event command = fill(in_order, nullptr);
  EXPECT_EQ(clSetUserEventStatus(command, CL_COMPLETE), CL_INVALID_EVENT) << "not a user event";
  EXPECT_EQ(clReleaseEvent(command), CL_SUCCESS);
}

TEST_F(EventApi, CommandsWaitForUserEvents) {
  for (const cl_command_queue queue : {in_order, out_of_order}) {
    const cl_event gate = user();
    const cl_event event = fill(queue, gate);
    EXPECT_EQ(clFlush(queue), CL_SUCCESS);
    EXPECT_GE(status(event), CL_SUBMITTED);
    EXPECT_EQ(value<cl_command_queue>(event, CL_EVENT_COMMAND_QUEUE), queue);
    EXPECT_EQ(value<cl_command_type>(event, CL_EVENT_COMMAND_TYPE), cl_command_type{CL_COMMAND_FILL_BUFFER});
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
    EXPECT_EQ(status(event), CL_COMPLETE);
    clReleaseEvent(gate);
    clReleaseEvent(event);
  }
}

TEST_F(EventApi, ErrorsReachDependants) {
  const cl_event gate = user();
  const cl_event event = fill(in_order, gate);
  std::array<char, 16> host{};
  std::thread setter([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_EQ(clSetUserEventStatus(gate, -123), CL_SUCCESS);
  });
  cl_event read = nullptr;
  EXPECT_EQ(clEnqueueReadBuffer(in_order, buffer, CL_TRUE, 0, host.size(), host.data(), 1, &event, &read),
            CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(read, nullptr);
  setter.join();
  EXPECT_EQ(status(gate), -123);
  EXPECT_EQ(status(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  const std::array events{gate, event};
  EXPECT_EQ(clWaitForEvents(2, events.data()), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(clFinish(in_order), CL_SUCCESS) << "the queue lives on";
  const cl_event next = fill(in_order, nullptr);
  EXPECT_EQ(clWaitForEvents(1, &next), CL_SUCCESS);
  for (const cl_event e : {gate, event, next}) clReleaseEvent(e);
}

TEST_F(EventApi, WaitForEventsErrors) {
  const cl_event event = user();
  const std::array mixed{event, foreign};
  const std::array<cl_event, 2> invalid{event, nullptr};
  EXPECT_EQ(clWaitForEvents(0, &event), CL_INVALID_VALUE);
  EXPECT_EQ(clWaitForEvents(1, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clWaitForEvents(2, mixed.data()), CL_INVALID_CONTEXT);
  EXPECT_EQ(clWaitForEvents(2, invalid.data()), CL_INVALID_EVENT);
  clReleaseEvent(event);
}

TEST_F(EventApi, QueriesAndCounts) {
  const cl_event event = fill(in_order, nullptr);
  EXPECT_EQ(clRetainEvent(event), CL_SUCCESS);
  EXPECT_EQ(value<cl_uint>(event, CL_EVENT_REFERENCE_COUNT), 2u);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
  EXPECT_EQ(value<cl_uint>(event, CL_EVENT_REFERENCE_COUNT), 1u);
  cl_int number = 0;
  EXPECT_EQ(clGetEventInfo(event, 0x1, sizeof number, &number, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetEventInfo(event, CL_EVENT_CONTEXT, 1, &number, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetEventInfo(nullptr, CL_EVENT_CONTEXT, 0, nullptr, nullptr), CL_INVALID_EVENT);
  EXPECT_EQ(clRetainEvent(nullptr), CL_INVALID_EVENT);
  EXPECT_EQ(clReleaseEvent(nullptr), CL_INVALID_EVENT);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
}

TEST_F(EventApi, OutlivesItsQueue) {
  const cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);
  const cl_event gate = user();
  const cl_event event = fill(queue, gate);
  EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  EXPECT_EQ(value<cl_command_queue>(event, CL_EVENT_COMMAND_QUEUE), queue);
  clReleaseEvent(gate);
  clReleaseEvent(event);
}

TEST_F(EventApi, Callbacks) {
  const cl_event gate = user();
  const cl_event event = fill(in_order, gate);
  static std::atomic<int> seen;
  seen = 0;
  const auto note = [](cl_event, cl_int status, void* data) {
    if (status == *static_cast<cl_int*>(data)) ++seen;
  };
  std::array<cl_int, 3> triggers{CL_SUBMITTED, CL_RUNNING, CL_COMPLETE};
  for (cl_int& trigger : triggers) EXPECT_EQ(clSetEventCallback(event, trigger, note, &trigger), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_TRUE(within(std::chrono::seconds(5), [] { return seen == 3; })) << seen;
  EXPECT_EQ(clSetEventCallback(nullptr, CL_COMPLETE, note, nullptr), CL_INVALID_EVENT);
  EXPECT_EQ(clSetEventCallback(event, CL_COMPLETE, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clSetEventCallback(event, CL_QUEUED, note, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clSetEventCallback(event, -1, note, nullptr), CL_INVALID_VALUE);
  clReleaseEvent(gate);
  clReleaseEvent(event);
}

TEST_F(EventApi, CallbackOfAnEndedCommandRunsInTheCall) {
  struct Seen {
    std::thread::id thread;
    cl_int status = 1;
  } seen;
  const auto note = [](cl_event event, cl_int status, void* data) {
    *static_cast<Seen*>(data) = {std::this_thread::get_id(), status};
    clReleaseEvent(event);
  };
  const cl_event event = fill(in_order, nullptr);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  EXPECT_EQ(clSetEventCallback(event, CL_RUNNING, note, &seen), CL_SUCCESS);
  EXPECT_EQ(seen.thread, std::this_thread::get_id());
  EXPECT_EQ(seen.status, CL_RUNNING);
  const cl_event failed = user();
  EXPECT_EQ(clSetUserEventStatus(failed, -7), CL_SUCCESS);
  EXPECT_EQ(clSetEventCallback(failed, CL_COMPLETE, note, &seen), CL_SUCCESS);
  EXPECT_EQ(seen.status, -7);
}

/// Each callback enqueues a command that ends at once and asks to be called for it again.
TEST_F(EventApi, CallbacksThatCauseTheNextDoNotNest) {
  struct Chain {
    cl_command_queue queue;
    std::atomic<int> left = 20'000;
    std::atomic<bool> nested = false;
    static void next(cl_event event, cl_int, void* data) {
      static thread_local int depth = 0;
      auto& chain = *static_cast<Chain*>(data);
      if (++depth > 1) chain.nested = true;
      clReleaseEvent(event);
      if (--chain.left > 0) chain.enqueue();
      --depth;
    }
    void enqueue() {
      cl_event marker = nullptr;
      clEnqueueMarkerWithWaitList(queue, 0, nullptr, &marker);
      clSetEventCallback(marker, CL_COMPLETE, next, this);
    }
  } chain{.queue = in_order};
  chain.enqueue();
  static_cast<void>(within(std::chrono::seconds(20), [&] { return chain.left == 0; }));
  EXPECT_EQ(chain.left, 0);
  EXPECT_FALSE(chain.nested);
}

TEST_F(EventApi, MarkersAndBarriers) {
  for (const cl_command_queue queue : {in_order, out_of_order}) {
    const cl_event gate = user();
    const cl_event early = fill(queue, gate);
    cl_event marker = nullptr, old_marker = nullptr, barrier = nullptr;
    EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &marker), CL_SUCCESS);
    EXPECT_EQ(clEnqueueMarker(queue, &old_marker), CL_SUCCESS);
    EXPECT_EQ(clEnqueueBarrierWithWaitList(queue, 0, nullptr, &barrier), CL_SUCCESS);
    EXPECT_EQ(clEnqueueBarrier(queue), CL_SUCCESS);
    EXPECT_EQ(clEnqueueWaitForEvents(queue, 1, &early), CL_SUCCESS);
    const cl_event late = fill(queue, nullptr);
    EXPECT_EQ(value<cl_command_type>(marker, CL_EVENT_COMMAND_TYPE), cl_command_type{CL_COMMAND_MARKER});
    EXPECT_EQ(value<cl_command_type>(old_marker, CL_EVENT_COMMAND_TYPE), cl_command_type{CL_COMMAND_MARKER});
    EXPECT_EQ(value<cl_command_type>(barrier, CL_EVENT_COMMAND_TYPE), cl_command_type{CL_COMMAND_BARRIER});
    for (const cl_event event : {marker, old_marker, barrier, late}) EXPECT_GE(status(event), CL_SUBMITTED);
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, &late), CL_SUCCESS);
    EXPECT_EQ(status(barrier), CL_COMPLETE);
    EXPECT_EQ(status(early), CL_COMPLETE);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    for (const cl_event event : {gate, early, marker, old_marker, barrier, late}) clReleaseEvent(event);
  }
}

TEST_F(EventApi, MarkerAndBarrierErrors) {
  cl_event event = nullptr;
  const cl_event valid = user();
  const cl_event null_event = nullptr;
  for (const auto enqueue : {clEnqueueMarkerWithWaitList, clEnqueueBarrierWithWaitList}) {
    EXPECT_EQ(enqueue(nullptr, 0, nullptr, &event), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(enqueue(in_order, 1, nullptr, &event), CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(enqueue(in_order, 0, &valid, &event), CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(enqueue(in_order, 1, &null_event, &event), CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(enqueue(in_order, 1, &foreign, &event), CL_INVALID_CONTEXT);
  }
  EXPECT_EQ(clEnqueueMarker(in_order, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueMarker(nullptr, &event), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueBarrier(nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueWaitForEvents(nullptr, 1, &valid), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueWaitForEvents(in_order, 0, &valid), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueWaitForEvents(in_order, 1, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueWaitForEvents(in_order, 1, &null_event), CL_INVALID_EVENT);
  EXPECT_EQ(clEnqueueWaitForEvents(in_order, 1, &foreign), CL_INVALID_CONTEXT);
  EXPECT_EQ(event, nullptr);
  clReleaseEvent(valid);
}

TEST_F(EventApi, Profiling) {
  const cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, nullptr);
  const cl_event gate = user();
  const cl_event event = fill(queue, gate);
  cl_ulong time = 0;
  const auto ask = [&](cl_event of, cl_profiling_info param) {
    return clGetEventProfilingInfo(of, param, sizeof time, &time, nullptr);
  };
  EXPECT_EQ(ask(event, CL_PROFILING_COMMAND_QUEUED), CL_PROFILING_INFO_NOT_AVAILABLE) << "not complete yet";
  clSetUserEventStatus(gate, CL_COMPLETE);
  clFinish(queue);
  cl_ulong before = 1;
  for (const cl_profiling_info param :
       {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END,
        CL_PROFILING_COMMAND_COMPLETE}) {
    EXPECT_EQ(ask(event, param), CL_SUCCESS);
    EXPECT_GE(time, before);
    before = time;
  }
  cl_ulong start = 0;
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr);
  EXPECT_GT(before, start) << "applications divide by the difference";
  EXPECT_EQ(ask(event, 0x1), CL_INVALID_VALUE);
  EXPECT_EQ(ask(nullptr, CL_PROFILING_COMMAND_END), CL_INVALID_EVENT);
  EXPECT_EQ(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 1, &time, nullptr), CL_INVALID_VALUE);
  const cl_event plain = fill(in_order, nullptr);
  clFinish(in_order);
  EXPECT_EQ(ask(plain, CL_PROFILING_COMMAND_END), CL_PROFILING_INFO_NOT_AVAILABLE) << "the queue does not profile";
  for (const cl_event e : {gate, event, plain}) clReleaseEvent(e);
  clReleaseCommandQueue(queue);
}

}  // namespace
}  // namespace lanewise::test

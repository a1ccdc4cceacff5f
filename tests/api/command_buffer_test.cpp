// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_khr_command_buffer: recording, order, enqueues, queries.
#include <numeric>
#include <thread>

#include "tests/api/command_buffer_fixture.h"

namespace lanewise::test {
namespace {

class CommandBuffer : public CommandBufferFixture {};

TEST_F(CommandBuffer, RecordedOnceRunsTwice) {
  const auto memory = numbers(std::vector<cl_int>(100, 0));
  const auto buffer = command_buffer({queue_.get()});
  record(buffer, kernel_on("add", memory, 3), 100);
  ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
  run(buffer, queue_);
  run(buffer, queue_);
  EXPECT_EQ(read<cl_int>(memory, 100), std::vector<cl_int>(100, 6));
}

TEST_F(CommandBuffer, NothingRecordedIsNothingToDo) {
  const auto buffer = command_buffer({queue_.get()});
  ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
  for (int i = 0; i < 3; ++i) run(buffer, queue_);
}

TEST_F(CommandBuffer, ArgumentsAreThoseOfTheRecording) {
  const auto memory = numbers({1});
  const auto add = kernel_on("add", memory, 5);
  const auto buffer = command_buffer({queue_.get()});
  record(buffer, add, 1);
  const cl_int other = 100;
  ASSERT_EQ(clSetKernelArg(add.get(), 1, sizeof other, &other), CL_SUCCESS);
  record(buffer, add, 1);
  ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
  run(buffer, queue_);
  EXPECT_EQ(read<cl_int>(memory, 1), (std::vector<cl_int>{106}));
}

/// Repeats a = (a + 1) * 2, whose result would differ in any other order.
TEST_F(CommandBuffer, InOrderQueueOrdersCommands) {
  constexpr int kRounds = 10;
  const auto memory = numbers(std::vector<cl_int>(1000, 0));
  const auto buffer = command_buffer({queue_.get()});
  for (int i = 0; i < kRounds; ++i) {
    record(buffer, kernel_on("add", memory, 1), 1000);
    record(buffer, kernel_on("scale", memory, 2), 1000);
  }
  ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
  cl_int expected = 0;
  // Often enough for every way in which the plan can combine the commands.
  for (int run_number = 0; run_number < 40; ++run_number) {
    run(buffer, queue_);
    for (int i = 0; i < kRounds; ++i) expected = static_cast<cl_int>((static_cast<cl_uint>(expected) + 1) * 2);
    ASSERT_EQ(read<cl_int>(memory, 1000), std::vector<cl_int>(1000, expected)) << run_number;
  }
}

TEST_F(CommandBuffer, SyncPointsOrderCommandsOfAnUnorderedQueue) {
  const auto memory = numbers(std::vector<cl_int>(4096, 1));
  const auto buffer = command_buffer({unordered_.get()});
  const auto first = record(buffer, kernel_on("add", memory, 1), 4096);
  const auto second = record(buffer, kernel_on("scale", memory, 3), 4096, {first});
  EXPECT_NE(first, second);
  cl_sync_point_khr barrier = 0;
  ASSERT_EQ(barrier_(buffer.get(), nullptr, nullptr, 1, &second, &barrier, nullptr), CL_SUCCESS);
  const auto third = record(buffer, kernel_on("add", memory, 10), 4096);  // the barrier holds it
  ASSERT_EQ(barrier_(buffer.get(), nullptr, nullptr, 0, nullptr, nullptr, nullptr), CL_SUCCESS);
  record(buffer, kernel_on("scale", memory, 2), 4096);
  EXPECT_NE(third, barrier);
  ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
  cl_int expected = 1;
  for (int i = 0; i < 5; ++i) {
    run(buffer, unordered_);
    expected = ((expected + 1) * 3 + 10) * 2;
    ASSERT_EQ(read<cl_int>(memory, 4096), std::vector<cl_int>(4096, expected)) << i;
  }
}

/// Large commands that many threads share, between small ones: the parts of a graph.
TEST_F(CommandBuffer, LargeAndSmallCommandsInOneBuffer) {
  constexpr size_t kItems = 1 << 14;
  constexpr cl_int kSteps = 400;
  const auto memory = numbers(std::vector<cl_int>(kItems, 7));
  const auto buffer = command_buffer({queue_.get()});
  for (int i = 0; i < 3; ++i) {
    record(buffer, kernel_on("add", memory, 1), 16);
    record(buffer, kernel_on("heavy", memory, kSteps), kItems);
    record(buffer, kernel_on("scale", memory, 3), 16);
  }
  ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
  std::vector<cl_uint> expected(kItems, 7);
  for (int run_number = 0; run_number < 10; ++run_number) {
    run(buffer, queue_);
    for (int i = 0; i < 3; ++i) {
      for (size_t item = 0; item < kItems; ++item) {
        cl_uint& x = expected[item];
        if (item < 16) x += 1;
        for (int step = 0; step < kSteps; ++step) x = x * 1664525 + 1013904223;
        if (item < 16) x *= 3;
      }
    }
    ASSERT_EQ(read<cl_uint>(memory, kItems), expected) << run_number;
  }
}

TEST_F(CommandBuffer, CopiesAndFills) {
  const auto a = numbers({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
  const auto b = numbers(std::vector<cl_int>(16, 0));
  auto* shared = static_cast<cl_int*>(clSVMAlloc(context_.get(), CL_MEM_READ_WRITE, 8 * sizeof(cl_int), 0));
  ASSERT_NE(shared, nullptr);
  const auto buffer = command_buffer({queue_.get()});
  const cl_int nine = 9;
  ASSERT_EQ(fill_buffer_(buffer.get(), nullptr, nullptr, b.get(), &nine, 4, 0, 64, 0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  ASSERT_EQ(copy_buffer_(buffer.get(), nullptr, nullptr, a.get(), b.get(), 0, 4, 8, 0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  // The lower right quarter of a 4x4 matrix to the upper right one.
  const size_t from[3] = {8, 2, 0};
  const size_t to[3] = {8, 0, 0};
  const size_t region[3] = {8, 2, 1};
  ASSERT_EQ(copy_rect_(buffer.get(), nullptr, nullptr, a.get(), b.get(), from, to, region, 16, 0, 16, 0, 0, nullptr,
                       nullptr, nullptr),
            CL_SUCCESS);
  ASSERT_EQ(svm_fill_(buffer.get(), nullptr, nullptr, shared, &nine, 4, 16, 0, nullptr, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(svm_copy_(buffer.get(), nullptr, nullptr, shared + 4, shared, 16, 0, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
  for (int i = 0; i < 3; ++i) {
    std::fill(shared, shared + 8, 0);
    run(buffer, queue_);
    EXPECT_EQ(read<cl_int>(b, 16), (std::vector<cl_int>{9, 1, 11, 12, 9, 9, 15, 16, 9, 9, 9, 9, 9, 9, 9, 9}));
    EXPECT_EQ(std::vector<cl_int>(shared, shared + 8), std::vector<cl_int>(8, 9));
  }
  clSVMFree(context_.get(), shared);
}

TEST_F(CommandBuffer, WaitsForItsEventsAndHasOne) {
  const auto memory = numbers({1});
  const auto profiled = new_queue(CL_QUEUE_PROFILING_ENABLE);
  const auto buffer = command_buffer({profiled.get()});
  record(buffer, kernel_on("add", memory, 1), 1);
  ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
  cl_int code = 1;
  cl_event gate = clCreateUserEvent(context_.get(), &code);
  ASSERT_EQ(code, CL_SUCCESS);
  cl_event done = nullptr;
  ASSERT_EQ(enqueue_(0, nullptr, buffer.get(), 1, &gate, &done), CL_SUCCESS);
  cl_int status = 0;
  ASSERT_EQ(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), CL_SUCCESS);
  EXPECT_GT(status, CL_RUNNING);
  cl_command_type type = 0;
  ASSERT_EQ(clGetEventInfo(done, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
  EXPECT_EQ(type, static_cast<cl_command_type>(CL_COMMAND_COMMAND_BUFFER_KHR));
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  ASSERT_EQ(clWaitForEvents(1, &done), CL_SUCCESS);
  EXPECT_EQ(read<cl_int>(memory, 1), (std::vector<cl_int>{2}));
  cl_ulong start = 0;
  cl_ulong end = 0;
  EXPECT_EQ(clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr), CL_SUCCESS);
  EXPECT_EQ(clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr), CL_SUCCESS);
  EXPECT_LT(start, end);
  EXPECT_EQ(clReleaseEvent(done), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
}

/// The time of a command-buffer is that of all its commands, however they are run.
TEST_F(CommandBuffer, ProfilingCoversAllCommands) {
  constexpr size_t kItems = 1 << 14;
  const auto a = numbers(std::vector<cl_int>(kItems, 1));
  const auto b = numbers(std::vector<cl_int>(kItems, 1));
  const auto profiled = new_queue(CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto buffer = command_buffer({profiled.get()});
  record(buffer, kernel_on("heavy", a, 2000), kItems);
  record(buffer, kernel_on("heavy", b, 2000), kItems);
  ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
  for (int i = 0; i < 3; ++i) {
    cl_event done = nullptr;
    ASSERT_EQ(enqueue_(0, nullptr, buffer.get(), 0, nullptr, &done), CL_SUCCESS);
    ASSERT_EQ(clWaitForEvents(1, &done), CL_SUCCESS);
    cl_ulong start = 0;
    cl_ulong end = 0;
    EXPECT_EQ(clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr), CL_SUCCESS);
    EXPECT_EQ(clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr), CL_SUCCESS);
    // 65 million steps on however many processors: at least some tenths of a millisecond.
    EXPECT_GT(end - start, 100'000u);
    EXPECT_EQ(clReleaseEvent(done), CL_SUCCESS);
  }
}

TEST_F(CommandBuffer, AFailedPrerequisiteFailsIt) {
  const auto memory = numbers({1});
  const auto buffer = command_buffer({queue_.get()});
  record(buffer, kernel_on("add", memory, 1), 1);
  ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
  cl_int code = 1;
  cl_event gate = clCreateUserEvent(context_.get(), &code);
  cl_event done = nullptr;
  ASSERT_EQ(enqueue_(0, nullptr, buffer.get(), 1, &gate, &done), CL_SUCCESS);
  ASSERT_EQ(clSetUserEventStatus(gate, -7), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &done), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(clReleaseEvent(done), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
  EXPECT_EQ(read<cl_int>(memory, 1), (std::vector<cl_int>{1}));
}

TEST_F(CommandBuffer, RunsOnAnotherQueueOfTheSameDevice) {
  const auto memory = numbers({1});
  const auto buffer = command_buffer({queue_.get()});
  record(buffer, kernel_on("add", memory, 1), 1);
  ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
  cl_command_queue other = unordered_.get();
  cl_event done = nullptr;
  ASSERT_EQ(enqueue_(1, &other, buffer.get(), 0, nullptr, &done), CL_SUCCESS);
  cl_command_queue queue = nullptr;
  EXPECT_EQ(clGetEventInfo(done, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr), CL_SUCCESS);
  EXPECT_EQ(queue, other);
  EXPECT_EQ(clFinish(other), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(done), CL_SUCCESS);
  EXPECT_EQ(read<cl_int>(memory, 1), (std::vector<cl_int>{2}));
}

TEST_F(CommandBuffer, ReleasedObjectsStayForTheBuffer) {
  const auto memory = numbers({1});
  auto buffer = command_buffer({queue_.get()});
  {
    const auto on = queue();
    const auto add = kernel_on("add", memory, 2);
    const auto scratch = numbers({20});
    buffer = command_buffer({on.get()});
    record(buffer, add, 1);
    ASSERT_EQ(copy_buffer_(buffer.get(), nullptr, nullptr, scratch.get(), memory.get(), 0, 0, 4, 0, nullptr, nullptr,
                           nullptr),
              CL_SUCCESS);
    record(buffer, add, 1);
  }
  ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
  cl_event done = nullptr;
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(enqueue_(0, nullptr, buffer.get(), 0, nullptr, &done), CL_SUCCESS);
    ASSERT_EQ(clWaitForEvents(1, &done), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(done), CL_SUCCESS);
  }
  EXPECT_EQ(read<cl_int>(memory, 1), (std::vector<cl_int>{22}));
}

TEST_F(CommandBuffer, ReleasedWhileItRuns) {
  const auto memory = numbers({0});
  cl_int code = 1;
  cl_event gate = clCreateUserEvent(context_.get(), &code);
  {
    const auto buffer = command_buffer({queue_.get()});
    record(buffer, kernel_on("add", memory, 1), 1);
    ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
    ASSERT_EQ(enqueue_(0, nullptr, buffer.get(), 1, &gate, nullptr), CL_SUCCESS);
  }
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue_.get()), CL_SUCCESS);
  EXPECT_EQ(read<cl_int>(memory, 1), (std::vector<cl_int>{1}));
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
}

TEST_F(CommandBuffer, Printf) {
  const auto say = kernel(program_, "say");
  const auto buffer = command_buffer({queue_.get()});
  testing::internal::CaptureStdout();
  for (cl_int i = 1; i <= 2; ++i) {
    ASSERT_EQ(clSetKernelArg(say.get(), 0, sizeof i, &i), CL_SUCCESS);
    record(buffer, say, 1);
  }
  ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
  for (int i = 0; i < 4; ++i) run(buffer, queue_);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "1\n2\n1\n2\n1\n2\n1\n2\n");
}

TEST_F(CommandBuffer, Queries) {
  const auto buffer = command_buffer({queue_.get()}, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
  EXPECT_EQ(value<cl_uint>(buffer, CL_COMMAND_BUFFER_NUM_QUEUES_KHR), 1u);
  EXPECT_EQ(value<cl_command_queue>(buffer, CL_COMMAND_BUFFER_QUEUES_KHR), queue_.get());
  EXPECT_EQ(value<cl_uint>(buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR), 1u);
  EXPECT_EQ(retain_(buffer.get()), CL_SUCCESS);
  EXPECT_EQ(value<cl_uint>(buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR), 2u);
  EXPECT_EQ(release_(buffer.get()), CL_SUCCESS);
  EXPECT_EQ(value<cl_context>(buffer, CL_COMMAND_BUFFER_CONTEXT_KHR), context_.get());
  using List = std::array<cl_command_buffer_properties_khr, 3>;
  EXPECT_EQ(value<List>(buffer, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR),
            (List{CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, 0}));
  EXPECT_EQ(value<cl_uint>(buffer, CL_COMMAND_BUFFER_STATE_KHR), cl_uint{CL_COMMAND_BUFFER_STATE_RECORDING_KHR});
  ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
  EXPECT_EQ(value<cl_uint>(buffer, CL_COMMAND_BUFFER_STATE_KHR), cl_uint{CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR});
  cl_command_queue queue = queue_.get();
  cl_int code = 1;
  const CommandBufferPtr plain(create_(1, &queue, nullptr, &code), ReleaseCommandBuffer{release_});
  ASSERT_EQ(code, CL_SUCCESS);
  size_t size = 1;
  EXPECT_EQ(info_(plain.get(), CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, 0, nullptr, &size), CL_SUCCESS);
  EXPECT_EQ(size, 0u);
  EXPECT_EQ(info_(plain.get(), 1, 0, nullptr, &size), CL_INVALID_VALUE);
  EXPECT_EQ(info_(plain.get(), CL_COMMAND_BUFFER_QUEUES_KHR, 1, &queue, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(info_(nullptr, CL_COMMAND_BUFFER_QUEUES_KHR, 0, nullptr, &size), CL_INVALID_COMMAND_BUFFER_KHR);
}

TEST_F(CommandBuffer, DeviceQueries) {
  const auto number = [&](cl_device_info param) {
    cl_bitfield bits = ~cl_bitfield{0};
    EXPECT_EQ(clGetDeviceInfo(device_, param, sizeof bits, &bits, nullptr), CL_SUCCESS);
    return bits;
  };
  EXPECT_EQ(
      number(CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR),
      cl_bitfield{CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR | CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR |
                  CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR |
                  CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR});
  EXPECT_EQ(number(CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR), 0u);
  EXPECT_EQ(number(CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR),
            cl_bitfield{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE});
  EXPECT_EQ(number(CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR), 31u);
  cl_uint count = 0;
  EXPECT_EQ(clGetDeviceInfo(device_, CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR, sizeof count, &count, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(count, 1u);
  cl_device_id sync = nullptr;
  EXPECT_EQ(clGetDeviceInfo(device_, CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR, sizeof sync, &sync, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(sync, device_);
  cl_bitfield bits = 0;
  EXPECT_EQ(clGetPlatformInfo(platform_, CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR, sizeof bits, &bits, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(bits, 7u);
}

/// A recorded kernel that never ends, with others behind it: a graph, whose parent ends with the context.
TEST_F(CommandBuffer, EndsWithItsContext) {
  const auto terminate = reinterpret_cast<decltype(&clTerminateContextKHR)>(
      clGetExtensionFunctionAddressForPlatform(platform_, "clTerminateContextKHR"));
  ASSERT_NE(terminate, nullptr);
  const cl_context_properties list[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
  cl_int code = 1;
  context_.reset(clCreateContext(list, 1, &device_, nullptr, nullptr, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  const auto program = built(
      "kernel void forever(global volatile int* a) { a[0] = 1; while (a[1] == 0) a[2]++; }\n"
      "kernel void after(global int* a) { a[3] = 1; }\n");
  const auto on = queue();
  // Held by the launches, one of which may run a little longer than its command.
  const auto memory = numbers({0, 0, 0, 0});
  cl_mem handle = memory.get();
  auto* shared = static_cast<volatile cl_int*>(
      clEnqueueMapBuffer(on.get(), handle, CL_TRUE, CL_MAP_READ, 0, 16, 0, nullptr, nullptr, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  const auto buffer = command_buffer({on.get()});
  for (const char* name : {"forever", "after"}) {
    const auto function = kernel(program, name);
    ASSERT_EQ(clSetKernelArg(function.get(), 0, sizeof handle, &handle), CL_SUCCESS);
    record(buffer, function, 1);
  }
  ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
  cl_event done = nullptr;
  ASSERT_EQ(enqueue_(0, nullptr, buffer.get(), 0, nullptr, &done), CL_SUCCESS);
  ASSERT_EQ(clFlush(on.get()), CL_SUCCESS);
  while (shared[0] == 0) std::this_thread::yield();
  ASSERT_EQ(terminate(context_.get()), CL_SUCCESS);
  cl_int status = 0;
  EXPECT_EQ(clWaitForEvents(1, &done), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), CL_SUCCESS);
  EXPECT_EQ(status, CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(shared[3], 0);
  EXPECT_EQ(enqueue_(0, nullptr, buffer.get(), 0, nullptr, nullptr), CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(clReleaseEvent(done), CL_SUCCESS);
}

/// Several runs at once, each of which has several commands.
TEST_F(CommandBuffer, ManyThreadsEnqueueOneBuffer) {
  constexpr int kThreads = 4;
  constexpr int kRuns = 500;
  const auto program = built("kernel void count(global int* a) { atomic_inc(a + get_global_id(0) % 4); }\n");
  const auto memory = numbers({0, 0, 0, 0});
  const auto count = kernel(program, "count");
  cl_mem handle = memory.get();
  ASSERT_EQ(clSetKernelArg(count.get(), 0, sizeof handle, &handle), CL_SUCCESS);
  const auto buffer = command_buffer({unordered_.get()}, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
  for (int i = 0; i < 5; ++i) record(buffer, count, 8);
  ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < kRuns; ++j) EXPECT_EQ(enqueue_(0, nullptr, buffer.get(), 0, nullptr, nullptr), CL_SUCCESS);
    });
  }
  for (auto& thread : threads) thread.join();
  ASSERT_EQ(clFinish(unordered_.get()), CL_SUCCESS);
  EXPECT_EQ(read<cl_int>(memory, 4), std::vector<cl_int>(4, kThreads * kRuns * 5 * 2));
}

}  // namespace
}  // namespace lanewise::test

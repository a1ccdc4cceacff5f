// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_khr_terminate_context: kernels that never end are stopped, everything else ends with an error, nothing hangs.
#include <CL/cl_ext.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "include/lanewise/cl_compat.h"
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

using namespace std::chrono_literals;
using EventPtr = Owned<cl_event, clReleaseEvent>;

// The first work-item to run says so in out[0].
constexpr const char* kSource = R"(
kernel void scalar_loop(global volatile int* out) {
  out[0] = 1;
  while (out[1] == 0) out[2]++;
}
kernel void vector_loop(global volatile int* out, global float* data) {
  out[0] = 1;
  size_t i = get_global_id(0);
  float x = data[i];
  for (uint n = 0; out[1] == 0; ++n) x = sin(x) + n;
  data[i] = x;
}
kernel void barrier_loop(global volatile int* out, local float* tmp) {
  out[0] = 1;
  size_t l = get_local_id(0);
  tmp[l] = 0;
  while (out[1] == 0) {
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp[l] = tmp[(l + 1) % get_local_size(0)] + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[3] = tmp[0];
}
kernel void print_loop(global volatile int* out) {
  out[0] = 1;
  while (out[1] == 0) printf("");
}
kernel void add(global int* out) { atomic_inc(out + 3); }
)";

class Terminate : public ProgramFixture {
 protected:
  void SetUp() override {
    ASSERT_EQ(clGetPlatformIDs(1, &platform_, nullptr), CL_SUCCESS);
    ASSERT_EQ(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), CL_SUCCESS);
    terminate = reinterpret_cast<decltype(terminate)>(
        clGetExtensionFunctionAddressForPlatform(platform_, "clTerminateContextKHR"));
    ASSERT_NE(terminate, nullptr);
    renew();
  }
  void renew() {
    const cl_context_properties list[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
    cl_int code = 1;
    notified = 0;
    context_.reset(clCreateContext(
        list, 1, &device_,
        [](const char*, const void*, size_t, void* count) { ++*static_cast<std::atomic<int>*>(count); }, &notified,
        &code));
    ASSERT_EQ(code, CL_SUCCESS);
  }
  QueuePtr queue_with(cl_command_queue_properties bits) {
    cl_int code = 1;
    QueuePtr made(clCreateCommandQueue(context_.get(), device_, bits, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }

  /// A kernel that has begun and never ends: the buffer that it writes to, and its event.
  struct Runaway {
    MemPtr out;
    MemPtr data;
    KernelPtr kernel;
    EventPtr event;
  };
  Runaway start(const ProgramPtr& program, const char* name, const QueuePtr& on, size_t items = 64,
                bool wait_for_it = true) {
    Runaway made;
    made.out = buffer(64);
    made.data = buffer(items * sizeof(float));
    made.kernel = kernel(program, name);
    const int zeros[16] = {};
    EXPECT_EQ(clEnqueueWriteBuffer(on.get(), made.out.get(), CL_TRUE, 0, sizeof zeros, zeros, 0, nullptr, nullptr),
              CL_SUCCESS);
    cl_int code = 1;
    auto* word = static_cast<std::atomic<int>*>(
        clEnqueueMapBuffer(on.get(), made.out.get(), CL_TRUE, CL_MAP_READ, 0, 64, 0, nullptr, nullptr, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    cl_mem out = made.out.get();
    cl_mem data = made.data.get();
    EXPECT_EQ(clSetKernelArg(made.kernel.get(), 0, sizeof out, &out), CL_SUCCESS);
    if (std::string(name) == "vector_loop") {
      EXPECT_EQ(clSetKernelArg(made.kernel.get(), 1, sizeof data, &data), CL_SUCCESS);
    } else if (std::string(name) == "barrier_loop") {
      EXPECT_EQ(clSetKernelArg(made.kernel.get(), 1, 256 * sizeof(float), nullptr), CL_SUCCESS);
    }
    cl_event event = nullptr;
    const size_t local = 16;
    EXPECT_EQ(clEnqueueNDRangeKernel(on.get(), made.kernel.get(), 1, nullptr, &items, &local, 0, nullptr, &event),
              CL_SUCCESS);
    made.event.reset(event);
    EXPECT_EQ(clFlush(on.get()), CL_SUCCESS);
    while (wait_for_it && !HasFailure() && word[0].load() == 0) std::this_thread::sleep_for(1ms);
    started = word;
    return made;
  }
  static cl_int status(const EventPtr& event) {
    cl_int value = 1;
    EXPECT_EQ(clGetEventInfo(event.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof value, &value, nullptr),
              CL_SUCCESS);
    return value;
  }
  void expect_terminated(const EventPtr& event) {
    EXPECT_EQ(status(event), CL_CONTEXT_TERMINATED_KHR);
    cl_event handle = event.get();
    EXPECT_EQ(clWaitForEvents(1, &handle), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  }
  /// The device still works, with all its threads.
  void expect_device_works() {
    renew();
    const auto program = built("kernel void square(global float* p) { size_t i = get_global_id(0); p[i] = i * 1.5f; }");
    const auto memory = buffer(100'000 * sizeof(float));
    const auto k = kernel(program, "square");
    cl_mem handle = memory.get();
    EXPECT_EQ(clSetKernelArg(k.get(), 0, sizeof handle, &handle), CL_SUCCESS);
    run(k, 100'000);
    const auto values = read<float>(memory, 100'000);
    for (size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], static_cast<float>(i) * 1.5f);
  }

  cl_int(CL_API_CALL* terminate)(cl_context) = nullptr;
  std::atomic<int> notified{0};
  std::atomic<int>* started = nullptr;
};

TEST_F(Terminate, StopsKernelsThatNeverEnd) {
  for (const char* name : {"scalar_loop", "vector_loop", "barrier_loop", "print_loop"}) {
    SCOPED_TRACE(name);
    renew();
    const auto program = built(kSource);
    const auto on = queue_with(CL_QUEUE_PROFILING_ENABLE);
    auto runaway = start(program, name, on, 4096);
    EXPECT_EQ(terminate(context_.get()), CL_SUCCESS);
    expect_terminated(runaway.event);
    cl_ulong time = 0;
    EXPECT_EQ(clGetEventProfilingInfo(runaway.event.get(), CL_PROFILING_COMMAND_START, sizeof time, &time, nullptr),
              CL_PROFILING_INFO_NOT_AVAILABLE);
    EXPECT_EQ(clFinish(on.get()), CL_CONTEXT_TERMINATED_KHR);
    EXPECT_EQ(notified.load(), 1);
  }
  expect_device_works();
}

TEST_F(Terminate, StopsAKernelOnTheThreadThatWaitsForIt) {
  for (const bool blocked : {false, true}) {
    renew();
    const auto program = built(kSource);
    const auto on = queue();
    auto runaway = start(program, "scalar_loop", on, 16, false);
    std::vector<std::thread> waiting;
    std::atomic<int> results{0};
    for (int i = 0; i < 3; ++i)
      waiting.emplace_back([&] {
        sigset_t all;
        sigfillset(&all);
        if (blocked) pthread_sigmask(SIG_BLOCK, &all, nullptr);
        if (clFinish(on.get()) == CL_CONTEXT_TERMINATED_KHR) ++results;
      });
    while (started->load() == 0) std::this_thread::sleep_for(1ms);
    EXPECT_EQ(terminate(context_.get()), CL_SUCCESS);
    for (auto& thread : waiting) thread.join();
    EXPECT_EQ(results.load(), 3);
    expect_terminated(runaway.event);
  }
  expect_device_works();
}

TEST_F(Terminate, BlockingCallsAndTheirOrderEnd) {
  const auto program = built(kSource);
  const auto on = queue();
  auto runaway = start(program, "vector_loop", on);
  const auto memory = buffer(64);
  std::thread reader([&] {
    int value = 0;
    EXPECT_EQ(clEnqueueReadBuffer(on.get(), memory.get(), CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr),
              CL_CONTEXT_TERMINATED_KHR);
  });
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(terminate(context_.get()), CL_SUCCESS);
  reader.join();
}

struct CallbackResult {
  std::atomic<int> calls{0};
  std::atomic<int> status{0};
};
void CL_CALLBACK note_status(cl_event, cl_int status, void* data) {
  auto& result = *static_cast<CallbackResult*>(data);
  result.status = status;
  ++result.calls;
}

TEST_F(Terminate, CommandsThatWaitEndAtOnceInAllQueues) {
  const auto program = built(kSource);
  const auto k = kernel(program, "add");
  const auto out = buffer(64);
  cl_mem handle = out.get();
  EXPECT_EQ(clSetKernelArg(k.get(), 0, sizeof handle, &handle), CL_SUCCESS);
  cl_int code = 1;
  const EventPtr gate(clCreateUserEvent(context_.get(), &code));
  const cl_event gate_handle = gate.get();
  CallbackResult result;
  std::vector<EventPtr> events;
  const QueuePtr queues[] = {queue_with(0), queue_with(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
  constexpr int kEach = 200;
  for (const auto& on : queues) {
    for (int i = 0; i < kEach; ++i) {
      const size_t one = 1;
      cl_event event = nullptr;
      const bool marker = i % 10 == 9;
      EXPECT_EQ(marker ? clEnqueueMarkerWithWaitList(on.get(), 1, &gate_handle, &event)
                       : clEnqueueNDRangeKernel(on.get(), k.get(), 1, nullptr, &one, nullptr, i == 0 ? 1 : 0,
                                                i == 0 ? &gate_handle : nullptr, &event),
                CL_SUCCESS);
      events.emplace_back(event);
    }
  }
  const auto& last = events[kEach - 1];
  for (const cl_int when : {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE})
    EXPECT_EQ(clSetEventCallback(last.get(), when, &note_status, &result), CL_SUCCESS);
  EXPECT_EQ(terminate(context_.get()), CL_SUCCESS);
  // The commands of the in-order queue, and those of the other one that wait for the event.
  for (int i = 0; i < kEach; ++i) expect_terminated(events[static_cast<size_t>(i)]);
  for (int i = 0; i < kEach; ++i) {
    const cl_int now = status(events[static_cast<size_t>(kEach + i)]);
    EXPECT_TRUE(now == CL_CONTEXT_TERMINATED_KHR || now == CL_COMPLETE) << now;
  }
  while (result.calls.load() < 3) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(result.status.load(), CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(clSetEventCallback(events.front().get(), CL_COMPLETE, &note_status, &result), CL_SUCCESS);
  while (result.calls.load() < 4) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(status(gate), CL_SUBMITTED);
  EXPECT_EQ(clSetUserEventStatus(gate.get(), CL_COMPLETE), CL_SUCCESS);
  for (int i = 0; i < kEach; ++i) EXPECT_EQ(status(events[static_cast<size_t>(i)]), CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(result.calls.load(), 4);
}

TEST_F(Terminate, ALongQueueThatDrainsAtTheSameTime) {
  for (const cl_command_queue_properties order : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
    renew();
    cl_int code = 1;
    const EventPtr opening(clCreateUserEvent(context_.get(), &code));
    const EventPtr closed(clCreateUserEvent(context_.get(), &code));
    const cl_event gates[] = {opening.get(), closed.get()};
    const auto on = queue_with(order);
    std::vector<EventPtr> events;
    for (int i = 0; i < 20000; ++i) {
      const cl_event gate = gates[i >= 15000 ? 1 : 0];
      cl_event event = nullptr;
      ASSERT_EQ(clEnqueueMarkerWithWaitList(on.get(), 1, &gate, &event), CL_SUCCESS);
      events.emplace_back(event);
    }
    std::thread opener([&] { EXPECT_EQ(clSetUserEventStatus(opening.get(), CL_COMPLETE), CL_SUCCESS); });
    EXPECT_EQ(terminate(context_.get()), CL_SUCCESS);
    for (int i = 0; i < 20000; ++i) {
      const cl_int now = status(events[static_cast<size_t>(i)]);
      ASSERT_TRUE(now == CL_CONTEXT_TERMINATED_KHR || (i < 15000 && now == CL_COMPLETE)) << i << ": " << now;
    }
    opener.join();
  }
}

TEST_F(Terminate, AUserEventThatIsNeverSetHoldsNothingUp) {
  const auto memory = buffer(64);
  std::atomic<int> dead{0};
  EXPECT_EQ(clSetMemObjectDestructorCallback(
                memory.get(), [](cl_mem, void* count) { ++*static_cast<std::atomic<int>*>(count); }, &dead),
            CL_SUCCESS);
  {
    cl_int code = 1;
    const EventPtr gate(clCreateUserEvent(context_.get(), &code));
    const cl_event gate_handle = gate.get();
    const auto on = queue();
    const int value = 1;
    EXPECT_EQ(clEnqueueFillBuffer(on.get(), memory.get(), &value, sizeof value, 0, 64, 1, &gate_handle, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(terminate(context_.get()), CL_SUCCESS);
  }
  EXPECT_EQ(dead.load(), 0);
  auto* raw = const_cast<MemPtr&>(memory).release();
  EXPECT_EQ(clReleaseMemObject(raw), CL_SUCCESS);
  while (dead.load() == 0) std::this_thread::sleep_for(1ms);
}

TEST_F(Terminate, ANativeKernelRunsToItsEnd) {
  struct Shared {
    std::atomic<bool> inside{false};
    std::atomic<bool> leave{false};
  };
  static Shared shared;
  shared.inside = shared.leave = false;
  const auto on = queue();
  cl_event raw = nullptr;
  EXPECT_EQ(clEnqueueNativeKernel(
                on.get(),
                [](void*) {
                  shared.inside = true;
                  while (!shared.leave.load()) std::this_thread::sleep_for(1ms);
                },
                nullptr, 0, 0, nullptr, nullptr, 0, nullptr, &raw),
            CL_SUCCESS);
  const EventPtr event(raw);
  EXPECT_EQ(clFlush(on.get()), CL_SUCCESS);
  while (!shared.inside.load()) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(terminate(context_.get()), CL_SUCCESS);
  EXPECT_EQ(status(event), CL_RUNNING);
  shared.leave = true;
  clWaitForEvents(1, &raw);
  EXPECT_LE(status(event), CL_COMPLETE);
}

TEST_F(Terminate, OtherContextsGoOn) {
  // Kernels of a context that is not terminated run on the same threads while others are stopped.
  const ContextPtr living = new_context();
  cl_int code = 1;
  const QueuePtr on(clCreateCommandQueue(living.get(), device_, 0, &code));
  const char* text = kSource;
  const ProgramPtr program(clCreateProgramWithSource(living.get(), 1, &text, nullptr, &code));
  ASSERT_EQ(clBuildProgram(program.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  const auto k = kernel(program, "add");
  const int zeros[16] = {};
  const MemPtr out(clCreateBuffer(living.get(), CL_MEM_COPY_HOST_PTR, 64, const_cast<int*>(zeros), &code));
  cl_mem handle = out.get();
  EXPECT_EQ(clSetKernelArg(k.get(), 0, sizeof handle, &handle), CL_SUCCESS);
  int launched = 0;
  for (int round = 0; round < 30; ++round) {
    renew();
    const auto other = built(kSource);
    const auto queue_of_other = queue();
    auto runaway = start(other, round % 2 == 0 ? "vector_loop" : "barrier_loop", queue_of_other, 16);
    std::thread ender([&] { EXPECT_EQ(terminate(context_.get()), CL_SUCCESS); });
    for (int i = 0; i < 20; ++i, ++launched) {
      const size_t items = 1000;
      EXPECT_EQ(clEnqueueNDRangeKernel(on.get(), k.get(), 1, nullptr, &items, nullptr, 0, nullptr, nullptr),
                CL_SUCCESS);
    }
    ender.join();
    expect_terminated(runaway.event);
  }
  EXPECT_EQ(clFinish(on.get()), CL_SUCCESS);
  int result[16] = {};
  EXPECT_EQ(clEnqueueReadBuffer(on.get(), out.get(), CL_TRUE, 0, 64, result, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(result[3], launched * 1000);
}

TEST_F(Terminate, EnqueuesAtTheSameTimeAllEnd) {
  for (int round = 0; round < 20; ++round) {
    renew();
    const auto program = built(kSource);
    const auto out = buffer(64);
    std::atomic<int> ready{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&, t] {
        const auto on = queue_with(t == 0 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
        const auto k = kernel(program, "add");
        cl_mem handle = out.get();
        EXPECT_EQ(clSetKernelArg(k.get(), 0, sizeof handle, &handle), CL_SUCCESS);
        ++ready;
        cl_int code = CL_SUCCESS;
        while (code == CL_SUCCESS) {
          const size_t items = 256;
          cl_event raw = nullptr;
          code = clEnqueueNDRangeKernel(on.get(), k.get(), 1, nullptr, &items, nullptr, 0, nullptr, &raw);
          if (code != CL_SUCCESS) break;
          const EventPtr event(raw);
          const cl_int waited = clWaitForEvents(1, &raw);
          EXPECT_TRUE(waited == CL_SUCCESS || waited == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) << waited;
        }
        EXPECT_EQ(code, CL_CONTEXT_TERMINATED_KHR);
      });
    while (ready.load() < 3) std::this_thread::sleep_for(1ms);
    std::this_thread::sleep_for(std::chrono::milliseconds(round));
    EXPECT_EQ(terminate(context_.get()), CL_SUCCESS);
    for (auto& thread : threads) thread.join();
  }
  expect_device_works();
}

TEST_F(Terminate, AfterwardsOnlyQueriesAndReleasesWork) {
  const auto program = built(kSource);
  const auto k = kernel(program, "add");
  const auto on = queue();
  const auto memory = buffer(1024);
  cl_int code = 1;
  const EventPtr gate(clCreateUserEvent(context_.get(), &code));
  void* svm = clSVMAlloc(context_.get(), CL_MEM_READ_WRITE, 64, 0);
  ASSERT_EQ(terminate(context_.get()), CL_SUCCESS);

  const cl_context c = context_.get();
  const cl_buffer_region region{0, 128};
  const char* text = "";
  const size_t size = 1;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text);
  const cl_program input = program.get();
  const std::function<void(cl_int*)> creators[] = {
      [&](cl_int* e) { clCreateCommandQueue(c, device_, 0, e); },
      [&](cl_int* e) { clCreateCommandQueueWithProperties(c, device_, nullptr, e); },
      [&](cl_int* e) { clCreateBuffer(c, 0, 16, nullptr, e); },
      [&](cl_int* e) { clCreateBufferWithProperties(c, nullptr, 0, 16, nullptr, e); },
      [&](cl_int* e) {
        int own = 0;
        reinterpret_cast<clImportMemoryARM_fn>(clGetExtensionFunctionAddressForPlatform(
            platform_, "clImportMemoryARM"))(c, 0, nullptr, &own, sizeof own, e);
      },
      [&](cl_int* e) { clCreateSubBuffer(memory.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, e); },
      [&](cl_int* e) { clCreateProgramWithSource(c, 1, &text, nullptr, e); },
      [&](cl_int* e) { clCreateProgramWithBinary(c, 1, &device_, &size, &bytes, nullptr, e); },
      [&](cl_int* e) { clCreateProgramWithBuiltInKernels(c, 1, &device_, "x", e); },
      [&](cl_int* e) { clLinkProgram(c, 0, nullptr, nullptr, 1, &input, nullptr, nullptr, e); },
      [&](cl_int* e) { clCreateKernel(program.get(), "add", e); },
      [&](cl_int* e) { clCloneKernel(k.get(), e); },
      [&](cl_int* e) { clCreateUserEvent(c, e); },
      [&](cl_int* e) { clCreateSampler(c, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, e); },
      [&](cl_int* e) { clCreateSamplerWithProperties(c, nullptr, e); },
      [&](cl_int* e) {
        clEnqueueMapBuffer(on.get(), memory.get(), CL_TRUE, CL_MAP_READ, 0, 16, 0, nullptr, nullptr, e);
      },
      [&](cl_int* e) { clCreateImage(c, 0, nullptr, nullptr, nullptr, e); },
  };
  for (std::size_t i = 0; i < std::size(creators); ++i) {
    cl_int error = 1;
    creators[i](&error);
    EXPECT_EQ(error, CL_CONTEXT_TERMINATED_KHR) << i;
  }
  EXPECT_EQ(clSVMAlloc(c, CL_MEM_READ_WRITE, 64, 0), nullptr);
  EXPECT_EQ(clCreateKernelsInProgram(program.get(), 0, nullptr, nullptr), CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(clSetContextDestructorCallback(c, [](cl_context, void*) {}, nullptr), CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(c, device_, on.get()), CL_CONTEXT_TERMINATED_KHR);
  const size_t one = 1;
  const int value = 1;
  int read_back = 0;
  cl_mem handle = memory.get();
  EXPECT_EQ(clSetKernelArg(k.get(), 0, sizeof handle, &handle), CL_SUCCESS);
  EXPECT_EQ(clEnqueueNDRangeKernel(on.get(), k.get(), 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
            CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(clEnqueueFillBuffer(on.get(), handle, &value, 4, 0, 16, 0, nullptr, nullptr), CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(clEnqueueReadBuffer(on.get(), handle, CL_TRUE, 0, 4, &read_back, 0, nullptr, nullptr),
            CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(on.get(), 0, nullptr, nullptr), CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(clFinish(on.get()), CL_CONTEXT_TERMINATED_KHR);

  cl_uint count = 0;
  EXPECT_EQ(clGetContextInfo(c, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, nullptr), CL_SUCCESS);
  EXPECT_EQ(clRetainContext(c), CL_SUCCESS);
  EXPECT_EQ(clReleaseContext(c), CL_SUCCESS);
  EXPECT_EQ(clGetMemObjectInfo(handle, CL_MEM_REFERENCE_COUNT, sizeof count, &count, nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetMemObjectDestructorCallback(handle, [](cl_mem, void*) {}, nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate.get(), CL_COMPLETE), CL_SUCCESS);
  clSVMFree(c, svm);
}

TEST_F(Terminate, ErrorsAndProperties) {
  cl_bitfield capability = 0;
  EXPECT_EQ(clGetDeviceInfo(device_, CL_DEVICE_TERMINATE_CAPABILITY_KHR, sizeof capability, &capability, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(capability, static_cast<cl_bitfield>(CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR));
  constexpr cl_device_info kOfOpenCl12 = 0x200F;
  capability = 0;
  EXPECT_EQ(clGetDeviceInfo(device_, kOfOpenCl12, sizeof capability, &capability, nullptr), CL_SUCCESS);
  EXPECT_EQ(capability, static_cast<cl_bitfield>(CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR));
  EXPECT_EQ(terminate(nullptr), CL_INVALID_CONTEXT);
  const ContextPtr plain = new_context();
  EXPECT_EQ(terminate(plain.get()), CL_INVALID_OPERATION);
  EXPECT_EQ(terminate(context_.get()), CL_SUCCESS);
  EXPECT_EQ(terminate(context_.get()), CL_CONTEXT_TERMINATED_KHR);
  const auto create = [&](std::vector<cl_context_properties> list, cl_int expected) {
    cl_int code = 1;
    const ContextPtr made(clCreateContext(list.data(), 1, &device_, nullptr, nullptr, &code));
    EXPECT_EQ(code, expected);
    return made != nullptr ? terminate(made.get()) : CL_INVALID_CONTEXT;
  };
  EXPECT_EQ(create({CL_CONTEXT_TERMINATE_KHR, CL_FALSE, 0}, CL_SUCCESS), CL_INVALID_OPERATION);
  create({CL_CONTEXT_TERMINATE_KHR, 2, 0}, CL_INVALID_PROPERTY);
  create({CL_CONTEXT_TERMINATE_KHR, CL_TRUE, CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0}, CL_INVALID_PROPERTY);
}

}  // namespace
}  // namespace lanewise::test

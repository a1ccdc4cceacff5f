// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_khr_semaphore.
#include <array>
#include <thread>

#include "tests/api/semaphore_fixture.h"

namespace lanewise::test {
namespace {

class SemaphoreApi : public SemaphoreFixture {};

TEST_F(SemaphoreApi, AWaitEndsAfterItsSignal) {
  cl_semaphore_khr s = semaphore();
  EXPECT_EQ(payload(s), 0u);
  cl_event waiting = wait(second_, s);
  EXPECT_EQ(clFlush(second_.get()), CL_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_GT(status(waiting), CL_RUNNING);
  EXPECT_EQ(finish(signal(first_, s)), CL_SUCCESS);
  EXPECT_EQ(finish(waiting), CL_SUCCESS);
  EXPECT_EQ(payload(s), 0u);
  EXPECT_EQ(release_(s), CL_SUCCESS);
}

TEST_F(SemaphoreApi, ASignalIsKeptForTheNextWait) {
  cl_semaphore_khr s = semaphore();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(finish(signal(first_, s)), CL_SUCCESS);
    EXPECT_EQ(payload(s), 1u);
    EXPECT_EQ(finish(wait(second_, s)), CL_SUCCESS);
    EXPECT_EQ(payload(s), 0u);
  }
  EXPECT_EQ(release_(s), CL_SUCCESS);
}

TEST_F(SemaphoreApi, OrdersCommandsOfTwoQueues) {
  const auto program = built(
      "kernel void add(global int* a) { a[0] += 1; }\n"
      "kernel void twice(global int* a) { a[0] *= 2; }\n");
  const auto memory = buffer(4);
  const auto add = kernel(program, "add");
  const auto twice = kernel(program, "twice");
  cl_mem handle = memory.get();
  ASSERT_EQ(clSetKernelArg(add.get(), 0, sizeof handle, &handle), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(twice.get(), 0, sizeof handle, &handle), CL_SUCCESS);
  const cl_int zero = 0;
  ASSERT_EQ(clEnqueueWriteBuffer(first_.get(), memory.get(), CL_TRUE, 0, 4, &zero, 0, nullptr, nullptr), CL_SUCCESS);
  cl_semaphore_khr there = semaphore();
  cl_semaphore_khr back = semaphore();
  const size_t one = 1;
  // (0 + 1) * 2, and so on; signalled again while earlier waits have not run.
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(clEnqueueNDRangeKernel(first_.get(), add.get(), 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
    ASSERT_EQ(signal_(first_.get(), 1, &there, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(wait_(second_.get(), 1, &there, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(clEnqueueNDRangeKernel(second_.get(), twice.get(), 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
    ASSERT_EQ(signal_(second_.get(), 1, &back, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(wait_(first_.get(), 1, &back, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  }
  ASSERT_EQ(clFinish(first_.get()), CL_SUCCESS);
  ASSERT_EQ(clFinish(second_.get()), CL_SUCCESS);
  EXPECT_EQ(read<cl_int>(memory, 1), (std::vector<cl_int>{2046}));
  EXPECT_EQ(release_(there), CL_SUCCESS);
  EXPECT_EQ(release_(back), CL_SUCCESS);
}

TEST_F(SemaphoreApi, SeveralAtOnce) {
  std::array<cl_semaphore_khr, 3> all{semaphore(), semaphore(), semaphore()};
  cl_event waiting = nullptr;
  ASSERT_EQ(wait_(second_.get(), 3, all.data(), nullptr, 0, nullptr, &waiting), CL_SUCCESS);
  EXPECT_EQ(finish(signal(first_, all[0])), CL_SUCCESS);
  EXPECT_EQ(finish(signal(first_, all[2])), CL_SUCCESS);
  EXPECT_GT(status(waiting), CL_RUNNING);
  EXPECT_EQ(finish(signal(first_, all[1])), CL_SUCCESS);
  EXPECT_EQ(finish(waiting), CL_SUCCESS);
  ASSERT_EQ(signal_(first_.get(), 3, all.data(), nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(clFinish(first_.get()), CL_SUCCESS);
  for (cl_semaphore_khr s : all) EXPECT_EQ(payload(s), 1u);
  for (cl_semaphore_khr s : all) EXPECT_EQ(release_(s), CL_SUCCESS);
}

TEST_F(SemaphoreApi, ReleasedWhileACommandWaits) {
  cl_semaphore_khr s = semaphore();
  cl_event waiting = wait(second_, s);
  cl_event signalled = signal(first_, s);
  EXPECT_EQ(release_(s), CL_SUCCESS);
  EXPECT_EQ(finish(signalled), CL_SUCCESS);
  EXPECT_EQ(finish(waiting), CL_SUCCESS);
}

/// A wait that fails does not consume a signal: the next wait gets it.
TEST_F(SemaphoreApi, AFailedWaitTakesNoSignal) {
  cl_semaphore_khr s = semaphore();
  cl_int code = 1;
  cl_event gate = clCreateUserEvent(context_.get(), &code);
  cl_event failing = wait(second_, s, gate);
  EXPECT_EQ(finish(signal(first_, s)), CL_SUCCESS);
  ASSERT_EQ(clSetUserEventStatus(gate, -1), CL_SUCCESS);
  EXPECT_EQ(finish(failing), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(payload(s), 1u);
  EXPECT_EQ(finish(wait(first_, s)), CL_SUCCESS);
  EXPECT_EQ(payload(s), 0u);
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
  EXPECT_EQ(release_(s), CL_SUCCESS);
}

TEST_F(SemaphoreApi, Queries) {
  const Properties properties{CL_SEMAPHORE_TYPE_KHR,
                              CL_SEMAPHORE_TYPE_BINARY_KHR,
                              CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
                              reinterpret_cast<cl_semaphore_properties_khr>(device_),
                              CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR,
                              0};
  cl_int code = 1;
  cl_semaphore_khr s = create_(context_.get(), properties.data(), &code);
  ASSERT_EQ(code, CL_SUCCESS);
  const auto value = [&]<class T>(cl_semaphore_info_khr param, T out) {
    size_t size = 0;
    EXPECT_EQ(info_(s, param, sizeof out, &out, &size), CL_SUCCESS);
    EXPECT_EQ(size, sizeof out);
    return out;
  };
  EXPECT_EQ(value(CL_SEMAPHORE_CONTEXT_KHR, cl_context{}), context_.get());
  EXPECT_EQ(retain_(s), CL_SUCCESS);
  EXPECT_EQ(value(CL_SEMAPHORE_REFERENCE_COUNT_KHR, cl_uint{}), 2u);
  EXPECT_EQ(release_(s), CL_SUCCESS);
  EXPECT_EQ(value(CL_SEMAPHORE_TYPE_KHR, cl_semaphore_type_khr{}), cl_semaphore_type_khr{CL_SEMAPHORE_TYPE_BINARY_KHR});
  EXPECT_EQ(value(CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, cl_device_id{}), device_);
  std::array<cl_semaphore_properties_khr, 6> list{};
  EXPECT_EQ(value(CL_SEMAPHORE_PROPERTIES_KHR, list)[3], properties[3]);
  size_t size = 0;
  EXPECT_EQ(info_(s, 1, 0, nullptr, &size), CL_INVALID_VALUE);
  EXPECT_EQ(info_(s, CL_SEMAPHORE_CONTEXT_KHR, 1, &size, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(release_(s), CL_SUCCESS);
  cl_semaphore_type_khr type = 0;
  EXPECT_EQ(clGetDeviceInfo(device_, CL_DEVICE_SEMAPHORE_TYPES_KHR, sizeof type, &type, &size), CL_SUCCESS);
  EXPECT_EQ(type, cl_semaphore_type_khr{CL_SEMAPHORE_TYPE_BINARY_KHR});
  EXPECT_EQ(clGetPlatformInfo(platform_, CL_PLATFORM_SEMAPHORE_TYPES_KHR, sizeof type, &type, &size), CL_SUCCESS);
  EXPECT_EQ(size, sizeof type);
}

TEST_F(SemaphoreApi, CreateErrors) {
  const auto device = reinterpret_cast<cl_semaphore_properties_khr>(device_);
  cl_int code = 1;
  EXPECT_EQ(create_(nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(create_(context_.get(), nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(creation({0}), CL_INVALID_VALUE);
  EXPECT_EQ(creation({CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, device, 0, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(creation({CL_SEMAPHORE_TYPE_KHR, 99, 0}), CL_INVALID_PROPERTY);
  EXPECT_EQ(creation({12345, 1, 0}), CL_INVALID_PROPERTY);
  EXPECT_EQ(creation({CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, CL_SEMAPHORE_TYPE_KHR, 0}),
            CL_INVALID_PROPERTY);
  const Properties type{CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR};
  const auto with_devices = [&](std::initializer_list<cl_semaphore_properties_khr> devices) {
    Properties list = type;
    list.insert(list.end(), devices);
    list.insert(list.end(), {CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR, 0});
    return creation(list);
  };
  EXPECT_EQ(with_devices({device}), CL_SUCCESS);
  EXPECT_EQ(with_devices({}), CL_INVALID_DEVICE);
  EXPECT_EQ(with_devices({device, device}), CL_INVALID_DEVICE);
  EXPECT_EQ(with_devices({reinterpret_cast<cl_semaphore_properties_khr>(context_.get())}), CL_INVALID_DEVICE);
}

TEST_F(SemaphoreApi, CommandErrors) {
  cl_semaphore_khr s = semaphore();
  cl_semaphore_khr none = nullptr;
  const auto other = new_context();
  cl_int code = 1;
  const QueuePtr foreign(clCreateCommandQueue(other.get(), device_, 0, &code));
  cl_event failed = clCreateUserEvent(context_.get(), &code);
  cl_event elsewhere = clCreateUserEvent(other.get(), &code);
  ASSERT_EQ(clSetUserEventStatus(failed, -1), CL_SUCCESS);
  for (const auto function : {signal_, wait_}) {
    EXPECT_EQ(function(nullptr, 1, &s, nullptr, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(function(first_.get(), 0, &s, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(function(first_.get(), 1, nullptr, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(function(first_.get(), 1, &none, nullptr, 0, nullptr, nullptr), CL_INVALID_SEMAPHORE_KHR);
    EXPECT_EQ(function(foreign.get(), 1, &s, nullptr, 0, nullptr, nullptr), CL_INVALID_CONTEXT);
    EXPECT_EQ(function(first_.get(), 1, &s, nullptr, 1, &elsewhere, nullptr), CL_INVALID_CONTEXT);
    EXPECT_EQ(function(first_.get(), 1, &s, nullptr, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(function(first_.get(), 1, &s, nullptr, 0, &failed, nullptr), CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(function(first_.get(), 1, &s, nullptr, 1, &failed, nullptr),
              CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  }
  EXPECT_EQ(clReleaseEvent(failed), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(elsewhere), CL_SUCCESS);
  EXPECT_EQ(release_(s), CL_SUCCESS);
  EXPECT_EQ(release_(nullptr), CL_INVALID_SEMAPHORE_KHR);
  EXPECT_EQ(retain_(nullptr), CL_INVALID_SEMAPHORE_KHR);
}

}  // namespace
}  // namespace lanewise::test

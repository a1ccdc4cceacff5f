// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Queues on the device as the application sees them: creation, queries, the default one, and as arguments of kernels
/// (API 5.1, 5.9.2).
#include "tests/api/device_queue_fixture.h"

namespace lanewise::test {
namespace {

class DeviceQueues : public DeviceQueueFixture {
 protected:
  template <class T>
  T info(const QueuePtr& queue, cl_command_queue_info what) const {
    T value{};
    std::size_t size = 0;
    EXPECT_EQ(clGetCommandQueueInfo(queue.get(), what, sizeof value, &value, &size), CL_SUCCESS);
    EXPECT_EQ(size, sizeof value);
    return value;
  }
  template <class T>
  T fact(cl_device_info what) const {
    T value{};
    EXPECT_EQ(clGetDeviceInfo(device_, what, sizeof value, &value, nullptr), CL_SUCCESS);
    return value;
  }
};

TEST_F(DeviceQueues, WhatTheDeviceSays) {
  EXPECT_EQ(fact<cl_device_device_enqueue_capabilities>(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES),
            cl_device_device_enqueue_capabilities{CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT});
  EXPECT_EQ(fact<cl_command_queue_properties>(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES),
            cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE});
  EXPECT_GE(fact<cl_uint>(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE), 16U << 10U);
  EXPECT_GE(fact<cl_uint>(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE), 256U << 10U);
  EXPECT_GE(fact<cl_uint>(CL_DEVICE_MAX_ON_DEVICE_QUEUES), 1U);
  EXPECT_GE(fact<cl_uint>(CL_DEVICE_MAX_ON_DEVICE_EVENTS), 1024U);
}

TEST_F(DeviceQueues, Queries) {
  const auto queue = device_queue(kOnDevice | CL_QUEUE_PROFILING_ENABLE, 100000);
  EXPECT_EQ(info<cl_context>(queue, CL_QUEUE_CONTEXT), context_.get());
  EXPECT_EQ(info<cl_device_id>(queue, CL_QUEUE_DEVICE), device_);
  EXPECT_EQ(info<cl_uint>(queue, CL_QUEUE_SIZE), 100000U);
  EXPECT_EQ(info<cl_command_queue_properties>(queue, CL_QUEUE_PROPERTIES), kOnDevice | CL_QUEUE_PROFILING_ENABLE);
  EXPECT_EQ(info<cl_command_queue>(queue, CL_QUEUE_DEVICE_DEFAULT), nullptr);
  std::vector<cl_queue_properties> list(5);
  std::size_t size = 0;
  EXPECT_EQ(
      clGetCommandQueueInfo(queue.get(), CL_QUEUE_PROPERTIES_ARRAY, list.size() * sizeof list[0], list.data(), &size),
      CL_SUCCESS);
  EXPECT_EQ(size, list.size() * sizeof list[0]);
  EXPECT_EQ(list, (std::vector<cl_queue_properties>{CL_QUEUE_PROPERTIES, kOnDevice | CL_QUEUE_PROFILING_ENABLE,
                                                    CL_QUEUE_SIZE, 100000, 0}));
  EXPECT_EQ(clRetainCommandQueue(queue.get()), CL_SUCCESS);
  EXPECT_EQ(info<cl_uint>(queue, CL_QUEUE_REFERENCE_COUNT), 2U);
  EXPECT_EQ(clReleaseCommandQueue(queue.get()), CL_SUCCESS);
  EXPECT_EQ(info<cl_uint>(device_queue(kOnDevice), CL_QUEUE_SIZE),
            fact<cl_uint>(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE));
}

TEST_F(DeviceQueues, CreationErrors) {
  const auto most = fact<cl_uint>(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE);
  EXPECT_NE(device_queue(kOnDevice, most), nullptr);
  cl_int code = 1;
  const cl_queue_properties larger[] = {CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE, cl_queue_properties{most} + 1,
                                        0};
  EXPECT_EQ(clCreateCommandQueueWithProperties(context_.get(), device_, larger, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_QUEUE_PROPERTIES);
  EXPECT_EQ(device_queue(CL_QUEUE_ON_DEVICE, 0, CL_INVALID_VALUE), nullptr);
  EXPECT_EQ(device_queue(CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0, CL_INVALID_VALUE),
            nullptr);
  EXPECT_EQ(device_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 1024, CL_INVALID_VALUE), nullptr);
  EXPECT_EQ(clCreateCommandQueue(context_.get(), device_, kOnDevice, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
}

TEST_F(DeviceQueues, ThereIsAMostOfThem) {
  const auto most = fact<cl_uint>(CL_DEVICE_MAX_ON_DEVICE_QUEUES);
  std::vector<QueuePtr> queues;
  for (cl_uint i = 0; i < most; ++i) queues.push_back(device_queue(kOnDevice));
  EXPECT_EQ(device_queue(kOnDevice, 0, CL_OUT_OF_RESOURCES), nullptr);
  queues.pop_back();
  EXPECT_NE(device_queue(kOnDevice), nullptr);
}

TEST_F(DeviceQueues, OneIsTheDefault) {
  const auto host = queue();
  EXPECT_EQ(info<cl_command_queue>(host, CL_QUEUE_DEVICE_DEFAULT), nullptr);
  auto first = device_queue(kDefault);
  const auto again = device_queue(kDefault);
  EXPECT_EQ(again, first);
  EXPECT_EQ(info<cl_uint>(first, CL_QUEUE_REFERENCE_COUNT), 2U);
  EXPECT_EQ(info<cl_command_queue>(host, CL_QUEUE_DEVICE_DEFAULT), first.get());

  const auto other = device_queue(kOnDevice);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context_.get(), device_, other.get()), CL_SUCCESS);
  EXPECT_EQ(info<cl_command_queue>(host, CL_QUEUE_DEVICE_DEFAULT), other.get());
  EXPECT_EQ(info<cl_command_queue>(first, CL_QUEUE_DEVICE_DEFAULT), other.get());
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context_.get(), device_, host.get()), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context_.get(), device_, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(nullptr, device_, other.get()), CL_INVALID_CONTEXT);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context_.get(), nullptr, other.get()), CL_INVALID_DEVICE);
  const auto elsewhere = new_context();
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(elsewhere.get(), device_, other.get()), CL_INVALID_COMMAND_QUEUE);
}

TEST_F(DeviceQueues, AReleasedDefaultIsNone) {
  device_queue(kDefault).reset();
  EXPECT_EQ(info<cl_command_queue>(queue(), CL_QUEUE_DEVICE_DEFAULT), nullptr);
  const auto text = R"(
    kernel void k(global int* o) {
      o[0] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ o[1] = 1; }); })";
  EXPECT_EQ(result_of(text, 2), (std::vector<cl_int>{-101, 0}));
}

TEST_F(DeviceQueues, NothingIsEnqueuedByTheHost) {
  const auto queue = device_queue(kOnDevice);
  const auto memory = buffer(16);
  const cl_int zero = 0;
  EXPECT_EQ(clFinish(queue.get()), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clFlush(queue.get()), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(queue.get(), 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueWriteBuffer(queue.get(), memory.get(), CL_TRUE, 0, 4, &zero, 0, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  const auto program = built("kernel void k() {}");
  const auto empty = kernel(program, "k");
  const std::size_t one = 1;
  EXPECT_EQ(clEnqueueNDRangeKernel(queue.get(), empty.get(), 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clSetCommandQueueProperty(queue.get(), CL_QUEUE_PROFILING_ENABLE, CL_TRUE, nullptr), CL_INVALID_OPERATION);
}

TEST_F(DeviceQueues, AsArguments) {
  auto first = device_queue(kOnDevice);
  const auto second = device_queue(kOnDevice);
  const auto p = program(R"(
    kernel void k(global int* o, queue_t a, queue_t b) {
      int bad = enqueue_kernel(a, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ o[0] = 1; });
      bad |= enqueue_kernel(b, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
        o[1] = 2; o[2] = enqueue_kernel(a, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ o[3] = 3; }); });
      o[4] = bad;
    })");
  const auto k = kernel(p, "k");
  const auto out = buffer(5 * sizeof(cl_int));
  cl_mem memory = out.get();
  cl_command_queue handle = first.get();
  const auto host = queue();
  cl_command_queue wrong = host.get();
  ASSERT_EQ(clSetKernelArg(k.get(), 0, sizeof memory, &memory), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(k.get(), 1, sizeof wrong, &wrong), CL_INVALID_DEVICE_QUEUE);
  EXPECT_EQ(clSetKernelArg(k.get(), 1, sizeof handle, nullptr), CL_INVALID_DEVICE_QUEUE);
  EXPECT_EQ(clSetKernelArg(k.get(), 1, 1, &handle), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(k.get(), 1, sizeof handle, &handle), CL_SUCCESS);
  handle = second.get();
  EXPECT_EQ(clSetKernelArg(k.get(), 2, sizeof handle, &handle), CL_SUCCESS);
  run(k, 1);
  EXPECT_EQ(read<cl_int>(out, 5), (std::vector<cl_int>{1, 2, 0, 3, 0}));

  // A launch keeps its queues; a kernel does not.
  const auto on = queue();
  cl_int code = 1;
  const EventPtr gate(clCreateUserEvent(context_.get(), &code));
  const std::size_t one = 1;
  cl_event wait = gate.get();
  ASSERT_EQ(clEnqueueNDRangeKernel(on.get(), k.get(), 1, nullptr, &one, nullptr, 1, &wait, nullptr), CL_SUCCESS);
  first.reset();
  EXPECT_EQ(clSetUserEventStatus(gate.get(), CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(on.get()), CL_SUCCESS);
  EXPECT_EQ(read<cl_int>(out, 5), (std::vector<cl_int>{1, 2, 0, 3, 0}));
  EXPECT_EQ(clEnqueueNDRangeKernel(on.get(), k.get(), 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
            CL_INVALID_KERNEL_ARGS);
}

TEST_F(DeviceQueues, BlocksAreNoKernelsOfTheProgram) {
  const auto p = program(
      "kernel void k(global int* o) { enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ o[0] = 1; }); }");
  std::size_t count = 0;
  EXPECT_EQ(clGetProgramInfo(p.get(), CL_PROGRAM_NUM_KERNELS, sizeof count, &count, nullptr), CL_SUCCESS);
  EXPECT_EQ(count, 1U);
  char names[64] = {};
  EXPECT_EQ(clGetProgramInfo(p.get(), CL_PROGRAM_KERNEL_NAMES, sizeof names, names, nullptr), CL_SUCCESS);
  EXPECT_STREQ(names, "k");
  cl_int code = 1;
  EXPECT_EQ(clCreateKernel(p.get(), "__k_block_invoke_kernel", &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_KERNEL_NAME);
}

TEST_F(DeviceQueues, LinkedAndStoredPrograms) {
  const auto queue = device_queue(kDefault);
  const char* const shared = R"(
    static int start(global int* o, int i) {
      return enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ o[i] = WHAT; });
    })";
  const auto part = [&](const std::string& what, const std::string& rest) {
    return compiled(shared + rest, ("-cl-std=CL3.0 -DWHAT=" + what).c_str());
  };
  const auto one = part("10", "int first(global int* o) { return start(o, 0); }");
  const auto two =
      part("20+i", "int first(global int* o); kernel void k(global int* o) { o[2] = first(o) | start(o, 1); }");
  const auto whole = linked({one.get(), two.get()});
  const auto out = buffer(3 * sizeof(cl_int));
  EXPECT_EQ(run_status(whole, "k", out), CL_COMPLETE);
  EXPECT_EQ(read<cl_int>(out, 3), (std::vector<cl_int>{10, 21, 0}));

  const auto stored = from_binary(binary(whole));
  ASSERT_EQ(clBuildProgram(stored.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  const auto fresh = buffer(3 * sizeof(cl_int));
  EXPECT_EQ(run_status(stored, "k", fresh), CL_COMPLETE);
  EXPECT_EQ(read<cl_int>(fresh, 3), (std::vector<cl_int>{10, 21, 0}));
}

}  // namespace
}  // namespace lanewise::test

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sub-devices (API 4.3): their queries, their lifetime, and that work stays on their processors.
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "tests/api/fixture.h"
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

using Property = cl_device_partition_property;

struct ReleaseDevice {
  void operator()(cl_device_id device) const { EXPECT_EQ(clReleaseDevice(device), CL_SUCCESS); }
};
using DevicePtr = std::unique_ptr<std::remove_pointer_t<cl_device_id>, ReleaseDevice>;

/// One sub-device of a single compute unit for each unit; skips the test where there is only one.
class SubDevice : public testing::Test {
 protected:
  void SetUp() override {
    root = first_device();
    units = device_value<cl_uint>(root, CL_DEVICE_MAX_COMPUTE_UNITS);
    if (units < 2) GTEST_SKIP() << "one compute unit";
    const Property singles[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    std::vector<cl_device_id> made(units);
    cl_uint count = 0;
    ASSERT_EQ(clCreateSubDevices(root, singles, units, made.data(), &count), CL_SUCCESS);
    ASSERT_EQ(count, units);
    for (cl_device_id device : made) parts.emplace_back(device);
  }
  ContextPtr context_of(std::vector<cl_device_id> devices) const {
    cl_int code = 1;
    ContextPtr made(
        clCreateContext(nullptr, static_cast<cl_uint>(devices.size()), devices.data(), nullptr, nullptr, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  static QueuePtr queue_of(const ContextPtr& context, cl_device_id device) {
    cl_int code = 1;
    QueuePtr made(clCreateCommandQueueWithProperties(context.get(), device, nullptr, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }

  cl_device_id root = nullptr;
  cl_uint units = 0;
  std::vector<DevicePtr> parts;
};

TEST_F(SubDevice, Queries) {
  for (const auto& part : parts) {
    EXPECT_EQ(device_value<cl_uint>(part.get(), CL_DEVICE_MAX_COMPUTE_UNITS), 1u);
    EXPECT_EQ(device_value<cl_device_id>(part.get(), CL_DEVICE_PARENT_DEVICE), root);
    EXPECT_EQ(device_value<cl_uint>(part.get(), CL_DEVICE_REFERENCE_COUNT), 1u);
    EXPECT_EQ(device_list<Property>(part.get(), CL_DEVICE_PARTITION_TYPE),
              (std::vector<Property>{CL_DEVICE_PARTITION_EQUALLY, 1, 0}));
    EXPECT_EQ(device_list<Property>(part.get(), CL_DEVICE_PARTITION_PROPERTIES), std::vector<Property>{0});
    EXPECT_EQ(device_value<cl_device_affinity_domain>(part.get(), CL_DEVICE_PARTITION_AFFINITY_DOMAIN), 0u);
    EXPECT_EQ(device_text(part.get(), CL_DEVICE_NAME), device_text(root, CL_DEVICE_NAME));
  }
  EXPECT_EQ(device_value<cl_uint>(root, CL_DEVICE_PARTITION_MAX_SUB_DEVICES), units);
  const auto schemes = device_list<Property>(root, CL_DEVICE_PARTITION_PROPERTIES);
  EXPECT_NE(std::find(schemes.begin(), schemes.end(), CL_DEVICE_PARTITION_EQUALLY), schemes.end());
  EXPECT_TRUE(device_list<Property>(root, CL_DEVICE_PARTITION_TYPE).empty());
  // What is listed works. Caches work without being listed, because a runtime of oneAPI does not survive their names.
  const auto domains = device_value<cl_device_affinity_domain>(root, CL_DEVICE_PARTITION_AFFINITY_DOMAIN);
  for (cl_device_affinity_domain bit = 1; bit <= CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE; bit <<= 1) {
    const Property list[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, static_cast<Property>(bit), 0};
    cl_uint count = 0;
    const cl_int code = clCreateSubDevices(root, list, 0, nullptr, &count);
    const bool listed = (domains & bit) != 0;
    const bool may_be_listed =
        bit == CL_DEVICE_AFFINITY_DOMAIN_NUMA || bit == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
    EXPECT_TRUE(may_be_listed || !listed) << bit;
    if (may_be_listed) EXPECT_EQ(code == CL_SUCCESS, listed) << bit;
    if (code == CL_SUCCESS) EXPECT_GE(count, 2u);
  }
}

TEST_F(SubDevice, Counting) {
  cl_device_id part = parts.front().get();
  EXPECT_EQ(clRetainDevice(part), CL_SUCCESS);
  EXPECT_EQ(device_value<cl_uint>(part, CL_DEVICE_REFERENCE_COUNT), 2u);
  EXPECT_EQ(clReleaseDevice(part), CL_SUCCESS);
  EXPECT_EQ(device_value<cl_uint>(part, CL_DEVICE_REFERENCE_COUNT), 1u);
}

TEST_F(SubDevice, Errors) {
  const Property singles[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id made = nullptr;
  cl_uint count = 7;
  EXPECT_EQ(clCreateSubDevices(nullptr, singles, 0, nullptr, &count), CL_INVALID_DEVICE);
  EXPECT_EQ(clCreateSubDevices(root, nullptr, 0, nullptr, &count), CL_INVALID_VALUE);
  EXPECT_EQ(clCreateSubDevices(root, singles, units - 1, &made, &count), CL_INVALID_VALUE);
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(count, 7u);
  const Property many[] = {CL_DEVICE_PARTITION_BY_COUNTS, static_cast<Property>(units), 1, 0, 0};
  EXPECT_EQ(clCreateSubDevices(root, many, 0, nullptr, &count), CL_INVALID_DEVICE_PARTITION_COUNT);
  EXPECT_EQ(clCreateSubDevices(parts.front().get(), singles, 0, nullptr, &count), CL_DEVICE_PARTITION_FAILED);
  EXPECT_EQ(clCreateSubDevices(root, singles, 0, nullptr, nullptr), CL_SUCCESS);
}

TEST_F(SubDevice, LivesAsLongAsItsQueue) {
  const auto context = context_of({parts.front().get()});
  auto queue = queue_of(context, parts.front().get());
  const cl_device_id device = parts.front().release();
  EXPECT_EQ(clReleaseDevice(device), CL_SUCCESS);  // the application's last
  cl_device_id kept = nullptr;
  EXPECT_EQ(clGetCommandQueueInfo(queue.get(), CL_QUEUE_DEVICE, sizeof kept, &kept, nullptr), CL_SUCCESS);
  EXPECT_EQ(kept, device);
  EXPECT_EQ(device_value<cl_uint>(kept, CL_DEVICE_MAX_COMPUTE_UNITS), 1u);
  EXPECT_EQ(clFinish(queue.get()), CL_SUCCESS);
}

struct Seen {
  std::atomic<int>* cpu;
};
void CL_CALLBACK note_cpu(void* args) {
  static_cast<Seen*>(args)->cpu->store(sched_getcpu());
}

/// The processor on which a native kernel of `queue` runs; `help`: the calling thread waits, so it may run it itself.
int cpu_of(cl_command_queue queue, bool help) {
  std::atomic<int> cpu{-1};
  Seen seen{&cpu};
  EXPECT_EQ(clEnqueueNativeKernel(queue, note_cpu, &seen, sizeof seen, 0, nullptr, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
  if (!help) {
    EXPECT_EQ(clFlush(queue), CL_SUCCESS);
    while (cpu.load() < 0) std::this_thread::yield();
  }
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  return cpu.load();
}

TEST_F(SubDevice, WorkStaysOnItsProcessors) {
  testing::internal::CaptureStderr();  // several schedulers in one process must not print a warning
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  std::vector<int> cpus;
  for (const auto& part : parts) {
    const auto context = context_of({part.get()});
    const auto queue = queue_of(context, part.get());
    const int first = cpu_of(queue.get(), false);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(cpu_of(queue.get(), i % 2 == 0), first);
    cpus.push_back(first);
  }
  std::sort(cpus.begin(), cpus.end());
  EXPECT_EQ(std::unique(cpus.begin(), cpus.end()), cpus.end());
  cpu_set_t after;
  ASSERT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(SubDevice, OneContextMixesThem) {
  const char* text = "kernel void add(global int* v, int by) { v[get_global_id(0)] += by; }";
  const auto context = context_of({root, parts[0].get(), parts[1].get()});
  cl_int code = 1;
  const ProgramPtr program(clCreateProgramWithSource(context.get(), 1, &text, nullptr, &code));
  ASSERT_EQ(clBuildProgram(program.get(), 1, &root, "", nullptr, nullptr), CL_SUCCESS);
  for (cl_device_id device : {root, parts[0].get(), parts[1].get()}) {
    cl_build_status status = 1;
    EXPECT_EQ(clGetProgramBuildInfo(program.get(), device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(status, CL_BUILD_SUCCESS);
  }
  const KernelPtr kernel(clCreateKernel(program.get(), "add", &code));
  ASSERT_EQ(code, CL_SUCCESS);
  std::vector<int> values(1000, 0);
  const MemPtr memory(
      clCreateBuffer(context.get(), CL_MEM_USE_HOST_PTR, sizeof(int) * values.size(), values.data(), &code));
  const cl_mem handle = memory.get();
  ASSERT_EQ(clSetKernelArg(kernel.get(), 0, sizeof handle, &handle), CL_SUCCESS);
  const std::vector<QueuePtr> queues = [&] {
    std::vector<QueuePtr> out;
    for (cl_device_id device : {root, parts[0].get(), parts[1].get()}) out.push_back(queue_of(context, device));
    return out;
  }();
  // Each launch waits for the one before it, on another queue: 300 times over three schedulers, nothing flushed.
  cl_event last = nullptr;
  for (int i = 0; i < 300; ++i) {
    const int by = i;
    ASSERT_EQ(clSetKernelArg(kernel.get(), 1, sizeof by, &by), CL_SUCCESS);
    const std::size_t size = values.size();
    cl_event next = nullptr;
    ASSERT_EQ(clEnqueueNDRangeKernel(queues[i % 3].get(), kernel.get(), 1, nullptr, &size, nullptr, last ? 1 : 0,
                                     last ? &last : nullptr, &next),
              CL_SUCCESS);
    if (last != nullptr) clReleaseEvent(last);
    last = next;
  }
  ASSERT_EQ(clWaitForEvents(1, &last), CL_SUCCESS);
  clReleaseEvent(last);
  ASSERT_EQ(clEnqueueReadBuffer(queues[1].get(), handle, CL_TRUE, 0, sizeof(int) * values.size(), values.data(), 0,
                                nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(std::count(values.begin(), values.end(), 300 * 299 / 2), 1000);
}

TEST_F(SubDevice, ProgramsAreBuiltForEachAndBinariesFit) {
  const char* text = "kernel void one(global int* v) { v[get_global_id(0)] = 1; }";
  const auto context = context_of({parts[0].get(), parts[1].get()});
  cl_int code = 1;
  const ProgramPtr program(clCreateProgramWithSource(context.get(), 1, &text, nullptr, &code));
  ASSERT_EQ(clBuildProgram(program.get(), 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  std::size_t sizes[2] = {};
  ASSERT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, nullptr), CL_SUCCESS);
  std::vector<unsigned char> first(sizes[0]), second(sizes[1]);
  unsigned char* pointers[] = {first.data(), second.data()};
  ASSERT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_BINARIES, sizeof pointers, pointers, nullptr), CL_SUCCESS);
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(first, second);
  // A sub-device's binary is valid for the root device (API 5.8.9).
  const auto whole = context_of({root});
  const unsigned char* data = first.data();
  cl_int status = 1;
  const ProgramPtr again(clCreateProgramWithBinary(whole.get(), 1, &root, sizes, &data, &status, &code));
  EXPECT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(clBuildProgram(again.get(), 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
}

}  // namespace
}  // namespace lanewise::test

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Errors that need several devices, or that no other test causes (conformance/error_coverage.py).
#include <limits>

#include "tests/api/memory_fixture.h"
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

class ErrorCodes : public WithQueue {};

TEST_F(ErrorCodes, ContextsFromTypes) {
  cl_int code = 1;
  const auto refused = [&](std::vector<cl_context_properties> list, void* user_data) {
    EXPECT_EQ(clCreateContextFromType(list.data(), CL_DEVICE_TYPE_CPU, nullptr, user_data, &code), nullptr);
    return code;
  };
  EXPECT_EQ(refused({CL_CONTEXT_PLATFORM, 0, 0}, nullptr), CL_INVALID_PLATFORM);
  EXPECT_EQ(refused({0x1234, 0, 0}, nullptr), CL_INVALID_PROPERTY);
  EXPECT_EQ(refused({0}, &code), CL_INVALID_VALUE);
}

TEST_F(ErrorCodes, PlatformQueriesWithOtherObjects) {
  char text[8];
  EXPECT_EQ(clGetPlatformInfo(reinterpret_cast<cl_platform_id>(context), CL_PLATFORM_NAME, sizeof text, text, nullptr),
            CL_INVALID_PLATFORM);
}

void CL_CALLBACK nothing(void*) {}

TEST_F(ErrorCodes, WaitListsOfNativeKernels) {
  expect_wait_list_rules(context, device, [&](cl_uint count, const cl_event* list, cl_event* event) {
    return clEnqueueNativeKernel(queue, nothing, nullptr, 0, 0, nullptr, nullptr, count, list, event);
  });
  const Stranger stranger(device);
  void* args[1] = {};
  const void* place = args;
  EXPECT_EQ(clEnqueueNativeKernel(queue, nothing, args, sizeof args, 1, &stranger.memory, &place, 0, nullptr, nullptr),
            CL_INVALID_CONTEXT);
}

class KernelErrorCodes : public ProgramFixture {
 protected:
  /// A context of two sub-devices; skips where there is one compute unit.
  void SetUp() override {
    ProgramFixture::SetUp();
    const cl_device_partition_property singles[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
    if (clCreateSubDevices(device_, singles, 2, parts, nullptr) != CL_SUCCESS) GTEST_SKIP() << "one compute unit";
    pair.reset(clCreateContext(nullptr, 2, parts, nullptr, nullptr, nullptr));
    for (int i = 0; i < 2; ++i) queues[i].reset(clCreateCommandQueue(pair.get(), parts[i], 0, nullptr));
  }
  void TearDown() override {
    for (cl_device_id part : parts)
      if (part != nullptr) {
        EXPECT_EQ(clReleaseDevice(part), CL_SUCCESS);
      }
  }
  ProgramPtr from(const char* text) const {
    return ProgramPtr(clCreateProgramWithSource(pair.get(), 1, &text, nullptr, nullptr));
  }

  cl_device_id parts[2] = {};
  ContextPtr pair;
  QueuePtr queues[2];
};

TEST_F(KernelErrorCodes, BuiltForTheOtherDevice) {
  const auto program = from("kernel void f(global int* v) { v[0] = 1; }");
  ASSERT_EQ(clBuildProgram(program.get(), 1, &parts[0], "", nullptr, nullptr), CL_SUCCESS);
  cl_int code = 1;
  const KernelPtr kernel(clCreateKernel(program.get(), "f", &code));
  ASSERT_EQ(code, CL_SUCCESS);
  const MemPtr memory(clCreateBuffer(pair.get(), 0, 4, nullptr, nullptr));
  const cl_mem handle = memory.get();
  ASSERT_EQ(clSetKernelArg(kernel.get(), 0, sizeof handle, &handle), CL_SUCCESS);
  const std::size_t one = 1;
  const auto enqueue = [&](int i) {
    return clEnqueueNDRangeKernel(queues[i].get(), kernel.get(), 1, nullptr, &one, nullptr, 0, nullptr, nullptr);
  };
  EXPECT_EQ(enqueue(0), CL_SUCCESS);
  EXPECT_EQ(enqueue(1), CL_INVALID_PROGRAM_EXECUTABLE);
  EXPECT_EQ(clEnqueueTask(queues[1].get(), kernel.get(), 0, nullptr, nullptr), CL_INVALID_PROGRAM_EXECUTABLE);
  expect_wait_list_rules(pair.get(), device_, [&](cl_uint count, const cl_event* list, cl_event* event) {
    return clEnqueueTask(queues[0].get(), kernel.get(), count, list, event);
  });
  EXPECT_EQ(clFinish(queues[0].get()), CL_SUCCESS);
}

TEST_F(KernelErrorCodes, DevicesDisagree) {
  const auto program = from("kernel void f(global T* v) { v[0] = 1; }");
  ASSERT_EQ(clBuildProgram(program.get(), 1, &parts[0], "-DT=int", nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(clBuildProgram(program.get(), 1, &parts[1], "-DT=float", nullptr, nullptr), CL_SUCCESS);
  cl_int code = 1;
  EXPECT_EQ(clCreateKernel(program.get(), "f", &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_KERNEL_DEFINITION);
}

TEST_F(KernelErrorCodes, LocalMemoryBeyondEveryDevice) {
  const auto program = built("kernel void f(local int* v) { v[0] = 1; }");
  const auto made = kernel(program, "f");
  EXPECT_EQ(clSetKernelArg(made.get(), 0, std::size_t{1} << 40, nullptr), CL_MAX_SIZE_RESTRICTION_EXCEEDED);
}

}  // namespace
}  // namespace lanewise::test

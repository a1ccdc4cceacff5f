// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// clGetKernelSuggestedLocalWorkSize (OpenCL 3.1) and its KHR name: the size that a launch without one will use.
#include <array>

#include "include/lanewise/cl_compat.h"
#include "tests/api/fixture.h"

namespace lanewise::test {
namespace {

class SuggestedLocalWorkSize : public WithContext {
 protected:
  void SetUp() override {
    WithContext::SetUp();
    const char* source =
        "kernel void f(global uint* out) {"
        "  if (get_global_id(0) == 0 && get_global_id(1) == 0)"
        "    for (uint i = 0; i < 3; ++i) out[i] = get_local_size(i);"
        "}"
        "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed(global uint* out) { out[0] = 0; }";
    queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
    program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
    ASSERT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
    kernel = clCreateKernel(program, "f", nullptr);
    ASSERT_NE(kernel, nullptr);
    out = clCreateBuffer(context, 0, 64, nullptr, nullptr);
  }
  void TearDown() override {
    clReleaseMemObject(out);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    WithContext::TearDown();
  }
  void set_argument(cl_kernel k) { ASSERT_EQ(clSetKernelArg(k, 0, sizeof out, &out), CL_SUCCESS); }

  cl_command_queue queue = nullptr;
  cl_program program = nullptr;
  cl_kernel kernel = nullptr;
  cl_mem out = nullptr;
};

TEST_F(SuggestedLocalWorkSize, IsWhatALaunchUses) {
  set_argument(kernel);
  for (const std::array<std::size_t, 2> global : {std::array<std::size_t, 2>{1, 1}, {4096, 1}, {640, 480}, {17, 13}}) {
    std::array<std::size_t, 2> suggested{};
    ASSERT_EQ(clGetKernelSuggestedLocalWorkSize(queue, kernel, 2, nullptr, global.data(), suggested.data()),
              CL_SUCCESS);
    ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global.data(), nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
    std::array<cl_uint, 3> used{};
    ASSERT_EQ(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof used, used.data(), 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(suggested[0], used[0]);
    EXPECT_EQ(suggested[1], used[1]);
  }
}

TEST_F(SuggestedLocalWorkSize, RequiredSize) {
  const cl_kernel fixed = clCreateKernel(program, "fixed", nullptr);
  set_argument(fixed);
  const std::array<std::size_t, 3> global{64, 64, 1};
  std::array<std::size_t, 3> suggested{};
  ASSERT_EQ(clGetKernelSuggestedLocalWorkSize(queue, fixed, 3, nullptr, global.data(), suggested.data()), CL_SUCCESS);
  EXPECT_EQ(suggested, (std::array<std::size_t, 3>{4, 2, 1}));
  clReleaseKernel(fixed);
}

TEST_F(SuggestedLocalWorkSize, Errors) {
  const std::size_t global = 64, zero = 0;
  std::size_t suggested = 0;
  const auto ask = [&](cl_uint dims, const size_t* offset, const size_t* size, size_t* result) {
    return clGetKernelSuggestedLocalWorkSize(queue, kernel, dims, offset, size, result);
  };
  EXPECT_EQ(ask(1, nullptr, &global, &suggested), CL_INVALID_KERNEL_ARGS);
  set_argument(kernel);
  EXPECT_EQ(ask(0, nullptr, &global, &suggested), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(ask(4, nullptr, &global, &suggested), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(ask(1, nullptr, nullptr, &suggested), CL_INVALID_GLOBAL_WORK_SIZE);
  EXPECT_EQ(ask(1, nullptr, &zero, &suggested), CL_INVALID_GLOBAL_WORK_SIZE);
  EXPECT_EQ(ask(1, nullptr, &global, nullptr), CL_INVALID_VALUE);
  const std::size_t far = ~std::size_t{0} - 8;
  EXPECT_EQ(ask(1, &far, &global, &suggested), CL_INVALID_GLOBAL_OFFSET);
  EXPECT_EQ(clGetKernelSuggestedLocalWorkSize(nullptr, kernel, 1, nullptr, &global, &suggested),
            CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clGetKernelSuggestedLocalWorkSize(queue, nullptr, 1, nullptr, &global, &suggested), CL_INVALID_KERNEL);
}

}  // namespace
}  // namespace lanewise::test

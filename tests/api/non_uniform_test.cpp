// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Work-groups of different sizes in one launch (API 5.10, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT): allowed for
/// programs of OpenCL C 2.0 and above, refused for older ones and on request.
#include <array>
#include <vector>

#include "tests/api/fixture.h"

namespace lanewise::test {
namespace {

constexpr std::size_t kWidth = 37;
constexpr std::size_t kHeight = 11;

class NonUniform : public WithContext {
 protected:
  void SetUp() override {
    WithContext::SetUp();
    queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
    out = clCreateBuffer(context, 0, kWidth * kHeight * sizeof(cl_uint4), nullptr, nullptr);
  }
  void TearDown() override {
    clReleaseMemObject(out);
    clReleaseCommandQueue(queue);
    WithContext::TearDown();
  }
  /// Runs a kernel over 37 x 11 work-items in groups of 16 x 4.
  cl_int run(const char* source, const char* options) {
    const cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, options, nullptr, nullptr), CL_SUCCESS);
    const cl_kernel kernel = clCreateKernel(program, "f", nullptr);
    clSetKernelArg(kernel, 0, sizeof out, &out);
    const std::array<std::size_t, 2> global{kWidth, kHeight}, local{16, 4};
    const cl_int code =
        clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global.data(), local.data(), 0, nullptr, nullptr);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    return code;
  }

  std::vector<cl_uint4> results() const {
    std::vector<cl_uint4> values(kWidth * kHeight);
    EXPECT_EQ(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, values.size() * sizeof(cl_uint4), values.data(), 0, nullptr,
                                  nullptr),
              CL_SUCCESS);
    return values;
  }

  cl_command_queue queue = nullptr;
  cl_mem out = nullptr;
};

TEST_F(NonUniform, SizesOfEveryGroup) {
  ASSERT_EQ(device_value<cl_bool>(device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT), cl_bool{CL_TRUE});
  const char* source =
      "kernel void f(global uint4* out) {"
      "  out[get_global_id(1) * 37 + get_global_id(0)] = (uint4)(get_local_size(0), get_local_size(1),"
      "      get_enqueued_local_size(0), get_group_id(0) * 16 + get_local_id(0));"
      "}";
  ASSERT_EQ(run(source, "-cl-std=CL3.0"), CL_SUCCESS);
  const auto result = results();
  for (cl_uint y = 0; y < kHeight; ++y) {
    for (cl_uint x = 0; x < kWidth; ++x) {
      const cl_uint4& item = result[y * kWidth + x];
      EXPECT_EQ(item.s[0], x < 32 ? 16u : 5u);
      EXPECT_EQ(item.s[1], y < 8 ? 4u : 3u);
      EXPECT_EQ(item.s[2], 16u);
      EXPECT_EQ(item.s[3], x);
    }
  }
}

TEST_F(NonUniform, BarriersInPartialGroups) {
  const char* source =
      "kernel void f(global uint4* out) {"
      "  local uint sum;"
      "  if (get_local_id(0) == 0 && get_local_id(1) == 0) sum = 0;"
      "  barrier(CLK_LOCAL_MEM_FENCE);"
      "  atomic_add(&sum, 1u);"
      "  barrier(CLK_LOCAL_MEM_FENCE);"
      "  out[get_global_id(1) * 37 + get_global_id(0)] = (uint4)(sum);"
      "}";
  ASSERT_EQ(run(source, "-cl-std=CL3.0"), CL_SUCCESS);
  const auto result = results();
  for (cl_uint y = 0; y < kHeight; ++y) {
    for (cl_uint x = 0; x < kWidth; ++x) {
      EXPECT_EQ(result[y * kWidth + x].s[0], (x < 32 ? 16u : 5u) * (y < 8 ? 4u : 3u));
    }
  }
}

TEST_F(NonUniform, RefusedWhereTheLanguageForbidsIt) {
  const char* source = "kernel void f(global uint4* out) { out[0] = (uint4)(1); }";
  EXPECT_EQ(run(source, "-cl-std=CL1.2"), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(run(source, ""), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(run(source, "-cl-std=CL3.0 -cl-uniform-work-group-size"), CL_INVALID_WORK_GROUP_SIZE);
}

}  // namespace
}  // namespace lanewise::test

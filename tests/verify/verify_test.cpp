// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LANEWISE_VERIFY through the API. A program of its own, because the option holds for a whole process.
#include <CL/cl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

#include "tests/time_limits.h"

namespace {

const bool kAsked = setenv("LANEWISE_VERIFY", "1", 1) == 0;

std::mutex g_mutex;
std::string g_told;

void CL_CALLBACK on_error(const char* message, const void*, size_t, void*) {
  const std::scoped_lock lock(g_mutex);
  g_told += std::string(message) + "\n";
}

std::string told() {
  const std::scoped_lock lock(g_mutex);
  return g_told;
}

class Verify : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(kAsked);
    g_told.clear();
    cl_platform_id platform = nullptr;
    cl_int error = clGetPlatformIDs(1, &platform, nullptr);
    ASSERT_EQ(error, CL_SUCCESS);
    ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device_, nullptr), CL_SUCCESS);
    context_ = clCreateContext(nullptr, 1, &device_, on_error, nullptr, &error);
    ASSERT_EQ(error, CL_SUCCESS);
    queue_ = clCreateCommandQueue(context_, device_, 0, &error);
    ASSERT_EQ(error, CL_SUCCESS);
  }
  void TearDown() override {
    for (cl_program p : programs_) clReleaseProgram(p);
    clReleaseCommandQueue(queue_);
    clReleaseContext(context_);
  }

  cl_program build(const char* source, const char* options = "-cl-std=CL3.0") {
    cl_int error = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(context_, 1, &source, nullptr, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    programs_.push_back(program);
    EXPECT_EQ(clBuildProgram(program, 1, &device_, options, nullptr, nullptr), CL_SUCCESS);
    return program;
  }

  /// Runs kernel `k` of the program on `data`, its only argument; returns what was written to stderr meanwhile.
  template <class T>
  std::string run(cl_program program, std::vector<T>& data, size_t local = 64) {
    testing::internal::CaptureStderr();
    cl_int error = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    EXPECT_EQ(error, CL_SUCCESS);
    cl_mem memory = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, data.size() * sizeof(T), data.data(), &error);
    EXPECT_EQ(error, CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof memory, &memory), CL_SUCCESS);
    const size_t global = 256;
    EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(
        clEnqueueReadBuffer(queue_, memory, CL_TRUE, 0, data.size() * sizeof(T), data.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    clReleaseMemObject(memory);
    clReleaseKernel(kernel);
    return testing::internal::GetCapturedStderr();
  }

  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  std::vector<cl_program> programs_;
};

/// The kernel reads and changes its buffer: the changes of the first run are undone before the second.
TEST_F(Verify, SaysNothingWhereBothFormsAgree) {
  std::vector<float> data(256, 2.0F);
  cl_program program = build(R"(
    kernel void k(global float* a) {
      local float t[64];
      size_t l = get_local_id(0), g = get_global_id(0);
      t[l] = a[g] + l;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l & 1) a[g] += t[63 - l];
    })");
  EXPECT_EQ(run(program, data), "");
  EXPECT_EQ(told(), "");
  for (size_t g = 0; g < data.size(); ++g)
    EXPECT_EQ(data[g], g % 2 == 1 ? 4.0F + static_cast<float>(63 - g % 64) : 2.0F) << g;
}

/// Images are compared and restored like buffers.
class VerifyImages : public Verify {
 protected:
  /// Runs `k` on a 2D image of floats that begins as zeros and is 256 wide; returns what was written to stderr.
  std::string run_on_image(cl_program program, std::vector<float>& data) {
    testing::internal::CaptureStderr();
    cl_int error = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    EXPECT_EQ(error, CL_SUCCESS);
    const cl_image_format format{CL_R, CL_FLOAT};
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = data.size();
    desc.image_height = 1;
    cl_mem image = clCreateImage(context_, CL_MEM_COPY_HOST_PTR, &format, &desc, data.data(), &error);
    EXPECT_EQ(error, CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof image, &image), CL_SUCCESS);
    const size_t global = 256, local = 64, origin[] = {0, 0, 0}, region[] = {data.size(), 1, 1};
    EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clEnqueueReadImage(queue_, image, CL_TRUE, origin, region, 0, 0, data.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    clReleaseMemObject(image);
    clReleaseKernel(kernel);
    return testing::internal::GetCapturedStderr();
  }
};

TEST_F(VerifyImages, SaysNothingWhereBothFormsAgree) {
  std::vector<float> data(256, 2.0F);
  EXPECT_EQ(run_on_image(build(R"(kernel void k(read_write image2d_t a) {
                                    int2 p = (int2)(get_global_id(0), 0);
                                    write_imagef(a, p, read_imagef(a, p) + p.x);
                                  })"),
                         data),
            "");
  for (size_t g = 0; g < data.size(); ++g) EXPECT_EQ(data[g], 2.0F + static_cast<float>(g)) << g;
}

TEST_F(VerifyImages, TellsOfADependenceOnOrder) {
  std::vector<float> data(257, 0.0F);
  const std::string log = run_on_image(build(R"(kernel void k(read_write image2d_t a) {
                                                  int2 p = (int2)(get_global_id(0), 0);
                                                  write_imagef(a, p + (int2)(1, 0), read_imagef(a, p) + 1);
                                                })"),
                                       data);
  EXPECT_NE(log.find("lanewise verify: kernel k, argument 0"), std::string::npos) << log;
}

constexpr const char* kRace = R"(kernel void k(global float* a) { size_t g = get_global_id(0); a[g + 1] = a[g] + 1; })";

void expect_report(const std::string& log) {
  EXPECT_NE(log.find("lanewise verify: kernel k, argument 0"), std::string::npos) << log;
  EXPECT_NE(log.find("byte "), std::string::npos) << log;
  EXPECT_NE(log.find("ULP apart"), std::string::npos) << log;
  static_cast<void>(lanewise::test::within(std::chrono::seconds(5), [] { return !told().empty(); }));
  EXPECT_NE(told().find("verify: kernel k, argument 0"), std::string::npos) << told();
}

/// A race: an item reads what its neighbour writes. One after the other the items carry a sum along; side by side they
/// do not.
TEST_F(Verify, TellsOfADependenceOnOrder) {
  std::vector<float> data(257, 0.0F);
  expect_report(run(build(kRace), data));
}

TEST_F(Verify, ComparesProgramsFromBinaries) {
  cl_program source = build(kRace);
  size_t size = 0;
  ASSERT_EQ(clGetProgramInfo(source, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr), CL_SUCCESS);
  std::vector<unsigned char> binary(size);
  unsigned char* at = binary.data();
  ASSERT_EQ(clGetProgramInfo(source, CL_PROGRAM_BINARIES, sizeof at, &at, nullptr), CL_SUCCESS);
  const unsigned char* from = binary.data();
  cl_int error = CL_SUCCESS;
  cl_program program = clCreateProgramWithBinary(context_, 1, &device_, &size, &from, nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  programs_.push_back(program);
  ASSERT_EQ(clBuildProgram(program, 1, &device_, "", nullptr, nullptr), CL_SUCCESS);
  std::vector<float> data(257, 0.0F);
  expect_report(run(program, data));
}

/// Both forms use the same variables, which are restored before the second run.
TEST_F(Verify, ProgramVariables) {
  cl_program program = build(R"(
    int sum[256]; int* global at = sum;
    kernel void k(global int* a) {
      size_t g = get_global_id(0);
      sum[g] += a[g] + 1;
      if (g == 0) at = &sum[a[g]];
      a[g] = sum[g];
    })",
                             "-cl-std=CL3.0");
  for (int round = 1; round < 3; ++round) {
    std::vector<int> data(256, 2);
    EXPECT_EQ(run(program, data), "");
    EXPECT_EQ(data, std::vector<int>(256, 3 * round));
  }
  EXPECT_EQ(told(), "");
}

TEST_F(Verify, TellsOfProgramVariablesThatDiffer) {
  cl_program program = build(R"(
    float chain[257];
    kernel void k(global float* a) { size_t g = get_global_id(0); chain[g + 1] = chain[g] + 1; a[g] = 0; })",
                             "-cl-std=CL3.0");
  std::vector<float> data(256, 0.0F);
  const std::string log = run(program, data);
  EXPECT_NE(log.find("lanewise verify: kernel k, program variables: byte "), std::string::npos) << log;
}

/// The scalar run prints nothing.
TEST_F(Verify, PrintsOnce) {
  std::vector<int> data(256, 0);
  cl_program program = build(R"(kernel void k(global int* a) {
    if (get_global_id(0) == 3) a[3] = printf("once\n"); })");
  testing::internal::CaptureStdout();
  EXPECT_EQ(run(program, data), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "once\n");
}

}  // namespace

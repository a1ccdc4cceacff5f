// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every entry of the table with nothing but zeros, and with one valid object followed by zeros: it returns, no crash.
#include <cstring>
#include <string_view>
#include <type_traits>

#include "include/lanewise/cl_compat.h"
#include "tests/api/fixture.h"

namespace lanewise::test {
namespace {

template <class Return, class... Args>
Return call_with_zeros(Return(CL_API_CALL* function)(Args...)) {
  return function(Args{}...);
}

template <class Return, class... Args>
void expect_refusal(const char* name, Return(CL_API_CALL* function)(Args...)) {
  SCOPED_TRACE(name);
  if constexpr (std::is_void_v<Return>) {
    call_with_zeros(function);
  } else if constexpr (std::is_pointer_v<Return>) {
    EXPECT_EQ(call_with_zeros(function), nullptr);
  } else if (std::string_view(name) == "clUnloadCompiler") {
    EXPECT_EQ(call_with_zeros(function), CL_SUCCESS);
  } else {
    EXPECT_LT(call_with_zeros(function), 0);
  }
}

TEST(NullArguments, EveryEntryRefuses) {
  first_platform();
#define ENTRY(name, since) expect_refusal(#name, &::name);
#define ICD(name) expect_refusal(#name, &::name);
#include "icd/entry_points.def"
}

/// One object of each kind that needs no compiler.
class Objects : public WithContext {
 protected:
  void SetUp() override {
    WithContext::SetUp();
    cl_int code = 1;
    queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    buffer = clCreateBuffer(context, 0, 256, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    event = clCreateUserEvent(context, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    const char* source = "kernel void f() {}";
    program = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
    WithContext::TearDown();
  }

  template <class T>
  T valid() {
    if constexpr (std::is_same_v<T, cl_platform_id>) return platform;
    if constexpr (std::is_same_v<T, cl_device_id>) return device;
    if constexpr (std::is_same_v<T, cl_context>) return context;
    if constexpr (std::is_same_v<T, cl_command_queue>) return queue;
    if constexpr (std::is_same_v<T, cl_mem>) return buffer;
    if constexpr (std::is_same_v<T, cl_event>) return event;
    if constexpr (std::is_same_v<T, cl_program>) return program;
    return T{};
  }

  template <class Return, class First, class... Rest>
  void call(const char* name, Return(CL_API_CALL* function)(First, Rest...)) {
    SCOPED_TRACE(name);
    // These would take the objects away, or leave references behind.
    if (std::strstr(name, "Retain") != nullptr || std::strstr(name, "Release") != nullptr) return;
    static_cast<void>(function(valid<First>(), Rest{}...));
  }
  template <class Return>
  void call(const char*, Return(CL_API_CALL*)()) {}

  cl_command_queue queue = nullptr;
  cl_mem buffer = nullptr;
  cl_event event = nullptr;
  cl_program program = nullptr;
};

TEST_F(Objects, ValidObjectThenZeros) {
#define ENTRY(name, since) call(#name, &::name);
#define ICD(name) call(#name, &::name);
#include "icd/entry_points.def"
}

TEST_F(Objects, WrongKindOfObject) {
  // A live object of another type is no valid handle.
  EXPECT_EQ(clFinish(reinterpret_cast<cl_command_queue>(context)), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clRetainMemObject(reinterpret_cast<cl_mem>(queue)), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clRetainEvent(reinterpret_cast<cl_event>(buffer)), CL_INVALID_EVENT);
  EXPECT_EQ(clRetainProgram(reinterpret_cast<cl_program>(event)), CL_INVALID_PROGRAM);
  EXPECT_EQ(clRetainKernel(reinterpret_cast<cl_kernel>(program)), CL_INVALID_KERNEL);
  EXPECT_EQ(clRetainDevice(reinterpret_cast<cl_device_id>(platform)), CL_INVALID_DEVICE);
  EXPECT_EQ(clRetainSampler(reinterpret_cast<cl_sampler>(buffer)), CL_INVALID_SAMPLER);
}

TEST_F(Objects, BuffersAreNoImages) {
  cl_int code = 0;
  std::size_t row = 0;
  const std::size_t zero[3] = {0, 0, 0};
  const std::size_t one[3] = {1, 1, 1};
  EXPECT_EQ(clEnqueueReadImage(queue, buffer, CL_TRUE, zero, one, 0, 0, &row, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueWriteImage(queue, buffer, CL_TRUE, zero, one, 0, 0, &row, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueFillImage(queue, buffer, &row, zero, one, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyImage(queue, buffer, buffer, zero, zero, one, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyImageToBuffer(queue, buffer, buffer, zero, one, 0, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBufferToImage(queue, buffer, buffer, 0, zero, one, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(
      clEnqueueMapImage(queue, buffer, CL_TRUE, CL_MAP_READ, zero, one, &row, nullptr, 0, nullptr, nullptr, &code),
      nullptr);
  EXPECT_EQ(code, CL_INVALID_MEM_OBJECT);
}

TEST_F(Objects, UnsupportedFeaturesNameTheirError) {
  cl_int code = 0;
  EXPECT_EQ(clCreateProgramWithBuiltInKernels(context, 1, &device, "x", &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context, device, queue), CL_INVALID_COMMAND_QUEUE);
  cl_uint formats = 9;
  EXPECT_EQ(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_BUFFER, 0, nullptr, &formats),
            CL_INVALID_VALUE);
  std::size_t width = 0;
  EXPECT_EQ(clGetImageInfo(buffer, CL_IMAGE_WIDTH, sizeof width, &width, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clGetPipeInfo(buffer, CL_PIPE_PACKET_SIZE, sizeof width, &width, nullptr), CL_INVALID_MEM_OBJECT);
}

}  // namespace
}  // namespace lanewise::test

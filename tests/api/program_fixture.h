// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One device and one context, and owners for objects that tests create.
#pragma once

#include <CL/cl.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "src/base/sanitizers.h"
#include "tests/time_limits.h"

namespace lanewise::test {

/// A sanitizer keeps freed memory on purpose, so tests that look at it are not for sanitized builds.
inline constexpr bool kSanitized = kAddressSanitizer || kThreadSanitizer;

template <class Handle, cl_int(CL_API_CALL* kRelease)(Handle)>
struct Release {
  void operator()(Handle handle) const { EXPECT_EQ(kRelease(handle), CL_SUCCESS); }
};
template <class Handle, cl_int(CL_API_CALL* kRelease)(Handle)>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Release<Handle, kRelease>>;

using ContextPtr = Owned<cl_context, clReleaseContext>;
using ProgramPtr = Owned<cl_program, clReleaseProgram>;
using KernelPtr = Owned<cl_kernel, clReleaseKernel>;
using MemPtr = Owned<cl_mem, clReleaseMemObject>;
using QueuePtr = Owned<cl_command_queue, clReleaseCommandQueue>;

class ProgramFixture : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(clGetPlatformIDs(1, &platform_, nullptr), CL_SUCCESS);
    ASSERT_EQ(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), CL_SUCCESS);
    context_ = new_context();
    ASSERT_NE(context_, nullptr);
  }

  ContextPtr new_context() const {
    cl_int code = 1;
    ContextPtr context(clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return context;
  }
  ProgramPtr source(const std::string& text) const {
    const char* string = text.c_str();
    cl_int code = 1;
    ProgramPtr program(clCreateProgramWithSource(context_.get(), 1, &string, nullptr, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return program;
  }
  ProgramPtr built(const std::string& text, const char* options = nullptr) const {
    auto program = source(text);
    EXPECT_EQ(clBuildProgram(program.get(), 0, nullptr, options, nullptr, nullptr), CL_SUCCESS) << log(program);
    return program;
  }
  ProgramPtr compiled(const std::string& text, const char* options = nullptr) const {
    auto program = source(text);
    EXPECT_EQ(clCompileProgram(program.get(), 0, nullptr, options, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS)
        << log(program);
    return program;
  }
  ProgramPtr linked(std::vector<cl_program> inputs, const char* options = nullptr, cl_int expected = CL_SUCCESS) const {
    cl_int code = 1;
    ProgramPtr program(clLinkProgram(context_.get(), 0, nullptr, options, static_cast<cl_uint>(inputs.size()),
                                     inputs.data(), nullptr, nullptr, &code));
    EXPECT_EQ(code, expected) << (program ? log(program) : "");
    return program;
  }
  KernelPtr kernel(const ProgramPtr& program, const char* name) const {
    cl_int code = 1;
    KernelPtr made(clCreateKernel(program.get(), name, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  MemPtr buffer(size_t size, cl_mem_flags flags = CL_MEM_READ_WRITE) const {
    cl_int code = 1;
    MemPtr made(clCreateBuffer(context_.get(), flags, size, nullptr, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  QueuePtr queue() const {
    cl_int code = 1;
    QueuePtr made(clCreateCommandQueue(context_.get(), device_, 0, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }

  std::string build_text(const ProgramPtr& program, cl_program_build_info what) const {
    size_t size = 0;
    EXPECT_EQ(clGetProgramBuildInfo(program.get(), device_, what, 0, nullptr, &size), CL_SUCCESS);
    std::string text(size, '\0');
    EXPECT_EQ(clGetProgramBuildInfo(program.get(), device_, what, size, text.data(), nullptr), CL_SUCCESS);
    if (!text.empty()) text.pop_back();
    return text;
  }
  std::string log(const ProgramPtr& program) const { return build_text(program, CL_PROGRAM_BUILD_LOG); }
  cl_build_status status(const ProgramPtr& program) const {
    cl_build_status value = 1;
    EXPECT_EQ(clGetProgramBuildInfo(program.get(), device_, CL_PROGRAM_BUILD_STATUS, sizeof value, &value, nullptr),
              CL_SUCCESS);
    return value;
  }
  cl_program_binary_type binary_type(const ProgramPtr& program) const {
    cl_program_binary_type value = 0xffff;
    EXPECT_EQ(clGetProgramBuildInfo(program.get(), device_, CL_PROGRAM_BINARY_TYPE, sizeof value, &value, nullptr),
              CL_SUCCESS);
    return value;
  }
  std::vector<unsigned char> binary(const ProgramPtr& program) const {
    size_t size = 0;
    EXPECT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr), CL_SUCCESS);
    std::vector<unsigned char> bytes(size);
    unsigned char* target = bytes.data();
    EXPECT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_BINARIES, sizeof target, &target, nullptr), CL_SUCCESS);
    return bytes;
  }
  ProgramPtr from_binary(const std::vector<unsigned char>& bytes, cl_int expected = CL_SUCCESS) const {
    const unsigned char* data = bytes.data();
    const size_t size = bytes.size();
    cl_int status = 1;
    cl_int code = 1;
    ProgramPtr program(clCreateProgramWithBinary(context_.get(), 1, &device_, &size, &data, &status, &code));
    EXPECT_EQ(code, expected);
    EXPECT_EQ(status, expected);
    EXPECT_EQ(program != nullptr, expected == CL_SUCCESS);
    return program;
  }

  /// Runs `kernel` over `items` work-items and waits.
  void run(const KernelPtr& kernel, size_t items, size_t local = 0) const {
    const auto on = queue();
    ASSERT_EQ(clEnqueueNDRangeKernel(on.get(), kernel.get(), 1, nullptr, &items, local != 0 ? &local : nullptr, 0,
                                     nullptr, nullptr),
              CL_SUCCESS);
    ASSERT_EQ(clFinish(on.get()), CL_SUCCESS);
  }
  template <class T>
  std::vector<T> read(const MemPtr& memory, size_t count) const {
    std::vector<T> values(count);
    const auto on = queue();
    EXPECT_EQ(
        clEnqueueReadBuffer(on.get(), memory.get(), CL_TRUE, 0, count * sizeof(T), values.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    return values;
  }

  cl_platform_id platform_ = nullptr;
  cl_device_id device_ = nullptr;
  ContextPtr context_;
};

}  // namespace lanewise::test

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/harness.h"

#include <CL/cl.h>

#include <cstdlib>

#include "tests/by_spirv.h"

namespace lanewise::test {
namespace {

struct Session {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  Session() {
    cl_platform_id platform = nullptr;
    cl_int error = clGetPlatformIDs(1, &platform, nullptr);
    if (error == CL_SUCCESS) error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr);
    if (error == CL_SUCCESS) context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    if (error == CL_SUCCESS) queue = clCreateCommandQueue(context, device, 0, &error);
    EXPECT_EQ(error, CL_SUCCESS) << "no CPU device";
  }
  ~Session() {
    if (queue != nullptr) clReleaseCommandQueue(queue);
    if (context != nullptr) clReleaseContext(context);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

/// Releases in the reverse order of creation, even if an assertion fails.
struct Objects {
  cl_program program = nullptr;
  cl_kernel kernel = nullptr;
  std::vector<cl_mem> memory;

  Objects() = default;
  ~Objects() {
    for (cl_mem m : memory) clReleaseMemObject(m);
    if (kernel != nullptr) clReleaseKernel(kernel);
    if (program != nullptr) clReleaseProgram(program);
  }
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;
};

std::string build_log(cl_program program, cl_device_id device) {
  std::size_t size = 0;
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  return log;
}

void set_argument(Session& session, Objects& objects, cl_uint index, Arg& arg) {
  cl_int error = CL_SUCCESS;
  if (arg.kind == Arg::Kind::buffer) {
    cl_mem memory =
        clCreateBuffer(session.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, arg.bytes, arg.data, &error);
    ASSERT_EQ(error, CL_SUCCESS) << "buffer of argument " << index;
    objects.memory.push_back(memory);
    error = clSetKernelArg(objects.kernel, index, sizeof(cl_mem), &memory);
  } else {
    const void* data = arg.kind == Arg::Kind::local ? nullptr : arg.value.data();
    error = clSetKernelArg(objects.kernel, index, arg.bytes, data);
  }
  ASSERT_EQ(error, CL_SUCCESS) << "argument " << index;
}

}  // namespace

bool compares_widths() {
  return false;
}

void run(const std::string& source, const std::string& kernel, const Range& range, std::vector<Arg> args,
         const std::string& options) {
  Session session;
  ASSERT_NE(session.queue, nullptr);
  Objects objects;
  const char* more = std::getenv("LANEWISE_TEST_BUILD_OPTIONS");
  const std::string all = more == nullptr ? options : options + " " + more;
  objects.program = make_program(session.context, source, all);
  ASSERT_NE(objects.program, nullptr);
  cl_int error = clBuildProgram(objects.program, 1, &session.device, all.c_str(), nullptr, nullptr);
  ASSERT_EQ(error, CL_SUCCESS) << build_log(objects.program, session.device);
  objects.kernel = clCreateKernel(objects.program, kernel.c_str(), &error);
  ASSERT_EQ(error, CL_SUCCESS);
  for (cl_uint i = 0; i < args.size(); ++i) ASSERT_NO_FATAL_FAILURE(set_argument(session, objects, i, args[i]));
  error = clEnqueueNDRangeKernel(session.queue, objects.kernel, range.dims, range.offset.data(), range.global.data(),
                                 range.local.data(), 0, nullptr, nullptr);
  ASSERT_EQ(error, CL_SUCCESS) << "clEnqueueNDRangeKernel";
  std::size_t next = 0;
  for (Arg& arg : args) {
    if (arg.kind != Arg::Kind::buffer) continue;
    error = clEnqueueReadBuffer(session.queue, objects.memory[next++], CL_TRUE, 0, arg.bytes, arg.data, 0, nullptr,
                                nullptr);
    ASSERT_EQ(error, CL_SUCCESS) << "reading back";
  }
  ASSERT_EQ(clFinish(session.queue), CL_SUCCESS);
}

}  // namespace lanewise::test

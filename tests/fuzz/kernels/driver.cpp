// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs a program through an OpenCL library, opened by name: the whole driver, or another one to compare with.
#include <CL/cl.h>
#include <dlfcn.h>

#include <cstring>

#include "tests/fuzz/kernels/runner.h"

namespace lanewise::fuzz {
namespace {

#define LANEWISE_FUZZ_FUNCTIONS(F) \
  F(clGetPlatformIDs)              \
  F(clGetDeviceIDs)                \
  F(clCreateContext)               \
  F(clCreateCommandQueue)          \
  F(clCreateProgramWithSource)     \
  F(clBuildProgram)                \
  F(clGetProgramBuildInfo)         \
  F(clCreateKernel)                \
  F(clCreateBuffer)                \
  F(clSetKernelArg)                \
  F(clEnqueueNDRangeKernel)        \
  F(clEnqueueReadBuffer)           \
  F(clFinish)                      \
  F(clReleaseMemObject)            \
  F(clReleaseKernel)               \
  F(clReleaseProgram)

struct Library {
#define F(name) decltype(&::name) name = nullptr;
  LANEWISE_FUZZ_FUNCTIONS(F)
#undef F
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  /// Returns an empty string or the error. The library stays open.
  std::string open(const std::string& file) {
    void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return dlerror();
#define F(function) \
  if (function = reinterpret_cast<decltype(function)>(dlsym(handle, #function)); function == nullptr) return #function;
    LANEWISE_FUZZ_FUNCTIONS(F)
#undef F
    cl_platform_id platform = nullptr;
    cl_int error = clGetPlatformIDs(1, &platform, nullptr);
    if (error == CL_SUCCESS) error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr);
    if (error == CL_SUCCESS) context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    if (error == CL_SUCCESS) queue = clCreateCommandQueue(context, device, 0, &error);
    return error == CL_SUCCESS ? "" : "no CPU device";
  }
};

/// The objects of one launch.
class Run {
 public:
  explicit Run(Library& library) : cl_(library) {}
  ~Run() {
    for (cl_mem m : memory_) cl_.clReleaseMemObject(m);
    if (kernel_ != nullptr) cl_.clReleaseKernel(kernel_);
    if (program_ != nullptr) cl_.clReleaseProgram(program_);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  std::string build(const std::string& source) {
    const char* text = source.c_str();
    cl_int error = CL_SUCCESS;
    program_ = cl_.clCreateProgramWithSource(cl_.context, 1, &text, nullptr, &error);
    if (error != CL_SUCCESS) return "clCreateProgramWithSource";
    error = cl_.clBuildProgram(program_, 1, &cl_.device, "-cl-std=CL3.0", nullptr, nullptr);
    if (error != CL_SUCCESS) {
      std::string log(4000, '\0');
      cl_.clGetProgramBuildInfo(program_, cl_.device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
      return "clBuildProgram " + std::to_string(error) + ": " + log.c_str();
    }
    kernel_ = cl_.clCreateKernel(program_, "k", &error);
    return error == CL_SUCCESS ? "" : "clCreateKernel";
  }

  std::string set(const std::vector<test::Arg>& arguments) {
    for (cl_uint i = 0; i < arguments.size(); ++i) {
      const test::Arg& a = arguments[i];
      cl_int error = CL_SUCCESS;
      if (a.kind == test::Arg::Kind::buffer) {
        cl_mem made =
            cl_.clCreateBuffer(cl_.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, a.bytes, a.data, &error);
        if (error != CL_SUCCESS) return "clCreateBuffer";
        memory_.push_back(made);
        error = cl_.clSetKernelArg(kernel_, i, sizeof made, &made);
      } else {
        error = cl_.clSetKernelArg(kernel_, i, a.bytes, a.kind == test::Arg::Kind::local ? nullptr : a.value.data());
      }
      if (error != CL_SUCCESS) return "clSetKernelArg " + std::to_string(error);
    }
    return {};
  }

  std::string launch(const test::Range& range, const std::vector<test::Arg>& arguments) {
    cl_int error = cl_.clEnqueueNDRangeKernel(cl_.queue, kernel_, range.dims, range.offset.data(), range.global.data(),
                                              range.local.data(), 0, nullptr, nullptr);
    if (error != CL_SUCCESS) return "clEnqueueNDRangeKernel " + std::to_string(error);
    std::size_t next = 0;
    for (const test::Arg& a : arguments) {
      if (a.kind != test::Arg::Kind::buffer) continue;
      error = cl_.clEnqueueReadBuffer(cl_.queue, memory_[next++], CL_TRUE, 0, a.bytes, a.data, 0, nullptr, nullptr);
      if (error != CL_SUCCESS) return "clEnqueueReadBuffer " + std::to_string(error);
    }
    return cl_.clFinish(cl_.queue) == CL_SUCCESS ? "" : "clFinish";
  }

 private:
  Library& cl_;
  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
  std::vector<cl_mem> memory_;
};

}  // namespace

std::string run_with_driver(const std::string& library, const Program& program, Buffers& buffers) {
  static Library* const opened = new Library;
  static const std::string failure = opened->open(library);
  if (!failure.empty()) return failure;
  Run run(*opened);
  std::string wrong = run.build(program.source());
  if (wrong.empty()) wrong = run.set(buffers.arguments());
  if (wrong.empty()) wrong = run.launch(program.range, buffers.arguments());
  return wrong;
}

}  // namespace lanewise::fuzz

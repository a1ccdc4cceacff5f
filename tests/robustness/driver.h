// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The driver as a library that is opened by name, as a loader does it, so that it can be closed again; and the little
/// OpenCL that the scenarios need on top of it. Errors are printed on stdout: stderr must stay silent, which the tests
/// check.
#pragma once

#include <CL/cl.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace lanewise::robustness {

/// Ends the process at once with code 1 if the condition is false.
inline void expect(bool condition, const char* what, long value = 0) {
  if (condition) return;
  std::printf("not as expected: %s (%ld)\n", what, value);
  std::fflush(stdout);
  _Exit(1);
}

class Driver {
 public:
  Driver() {
    const char* path = std::getenv("ROBUSTNESS_DRIVER");
    library_ = dlopen(path != nullptr ? path : "", RTLD_NOW | RTLD_LOCAL);
    expect(library_ != nullptr, "dlopen of the driver");
#define LANEWISE_LOAD(name) name = reinterpret_cast<decltype(name)>(dlsym(library_, "cl" #name))
    LANEWISE_LOAD(GetPlatformIDs);
    LANEWISE_LOAD(GetDeviceIDs);
    LANEWISE_LOAD(CreateContext);
    LANEWISE_LOAD(ReleaseContext);
    LANEWISE_LOAD(CreateCommandQueue);
    LANEWISE_LOAD(ReleaseCommandQueue);
    LANEWISE_LOAD(CreateBuffer);
    LANEWISE_LOAD(ReleaseMemObject);
    LANEWISE_LOAD(CreateProgramWithSource);
    LANEWISE_LOAD(BuildProgram);
    LANEWISE_LOAD(GetProgramBuildInfo);
    LANEWISE_LOAD(ReleaseProgram);
    LANEWISE_LOAD(CreateKernel);
    LANEWISE_LOAD(SetKernelArg);
    LANEWISE_LOAD(ReleaseKernel);
    LANEWISE_LOAD(EnqueueNDRangeKernel);
    LANEWISE_LOAD(EnqueueReadBuffer);
    LANEWISE_LOAD(CreateUserEvent);
    LANEWISE_LOAD(SetUserEventStatus);
    LANEWISE_LOAD(SetEventCallback);
    LANEWISE_LOAD(WaitForEvents);
    LANEWISE_LOAD(ReleaseEvent);
    LANEWISE_LOAD(Flush);
    LANEWISE_LOAD(Finish);
    LANEWISE_LOAD(GetDeviceInfo);
    LANEWISE_LOAD(CreateSubDevices);
    LANEWISE_LOAD(ReleaseDevice);
    LANEWISE_LOAD(CreateSubBuffer);
    LANEWISE_LOAD(GetMemObjectInfo);
    LANEWISE_LOAD(SetMemObjectDestructorCallback);
    LANEWISE_LOAD(SVMAlloc);
    LANEWISE_LOAD(SVMFree);
    LANEWISE_LOAD(RetainProgram);
    LANEWISE_LOAD(EnqueueMapBuffer);
    LANEWISE_LOAD(EnqueueUnmapMemObject);
    LANEWISE_LOAD(GetExtensionFunctionAddressForPlatform);
#undef LANEWISE_LOAD
  }
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  ~Driver() = default;  // does not close the library: most applications end without that
  void close() { expect(dlclose(library_) == 0, "dlclose"); }

  decltype(&clGetPlatformIDs) GetPlatformIDs;
  decltype(&clGetDeviceIDs) GetDeviceIDs;
  decltype(&clCreateContext) CreateContext;
  decltype(&clReleaseContext) ReleaseContext;
  decltype(&clCreateCommandQueue) CreateCommandQueue;
  decltype(&clReleaseCommandQueue) ReleaseCommandQueue;
  decltype(&clCreateBuffer) CreateBuffer;
  decltype(&clReleaseMemObject) ReleaseMemObject;
  decltype(&clCreateProgramWithSource) CreateProgramWithSource;
  decltype(&clBuildProgram) BuildProgram;
  decltype(&clGetProgramBuildInfo) GetProgramBuildInfo;
  decltype(&clReleaseProgram) ReleaseProgram;
  decltype(&clCreateKernel) CreateKernel;
  decltype(&clSetKernelArg) SetKernelArg;
  decltype(&clReleaseKernel) ReleaseKernel;
  decltype(&clEnqueueNDRangeKernel) EnqueueNDRangeKernel;
  decltype(&clEnqueueReadBuffer) EnqueueReadBuffer;
  decltype(&clCreateUserEvent) CreateUserEvent;
  decltype(&clSetUserEventStatus) SetUserEventStatus;
  decltype(&clSetEventCallback) SetEventCallback;
  decltype(&clWaitForEvents) WaitForEvents;
  decltype(&clReleaseEvent) ReleaseEvent;
  decltype(&clFlush) Flush;
  decltype(&clFinish) Finish;
  decltype(&clGetDeviceInfo) GetDeviceInfo;
  decltype(&clCreateSubDevices) CreateSubDevices;
  decltype(&clReleaseDevice) ReleaseDevice;
  decltype(&clCreateSubBuffer) CreateSubBuffer;
  decltype(&clGetMemObjectInfo) GetMemObjectInfo;
  decltype(&clSetMemObjectDestructorCallback) SetMemObjectDestructorCallback;
  decltype(&clSVMAlloc) SVMAlloc;
  decltype(&clSVMFree) SVMFree;
  decltype(&clRetainProgram) RetainProgram;
  decltype(&clEnqueueMapBuffer) EnqueueMapBuffer;
  decltype(&clEnqueueUnmapMemObject) EnqueueUnmapMemObject;
  decltype(&clGetExtensionFunctionAddressForPlatform) GetExtensionFunctionAddressForPlatform;

  /// Of any function of the API, extensions' too.
  void* address(const char* name) {
    cl_platform_id platform = nullptr;
    expect(GetPlatformIDs(1, &platform, nullptr) == CL_SUCCESS, "clGetPlatformIDs");
    void* found = GetExtensionFunctionAddressForPlatform(platform, name);
    return found != nullptr ? found : dlsym(library_, name);
  }

 private:
  void* library_;
};

/// A context with one queue on the first device.
class Session {
 public:
  enum class Queue { one, none };

  explicit Session(Driver& driver, Queue queues = Queue::one) : cl(driver) {
    cl_platform_id platform = nullptr;
    cl_int code = cl.GetPlatformIDs(1, &platform, nullptr);
    expect(code == CL_SUCCESS, "clGetPlatformIDs", code);
    code = cl.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
    expect(code == CL_SUCCESS, "clGetDeviceIDs", code);
    context = cl.CreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    expect(code == CL_SUCCESS, "clCreateContext", code);
    if (queues == Queue::none) return;
    code = make_queue();
    expect(code == CL_SUCCESS, "clCreateCommandQueue", code);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// The queue of a session that was made without one; returns the code of the call.
  cl_int make_queue() {
    cl_int code = 0;
    queue = cl.CreateCommandQueue(context, device, 0, &code);
    return code;
  }

  void release() {
    expect(cl.ReleaseCommandQueue(queue) == CL_SUCCESS, "clReleaseCommandQueue");
    expect(cl.ReleaseContext(context) == CL_SUCCESS, "clReleaseContext");
  }

  /// Builds; `code` is clBuildProgram's. The caller releases the program.
  cl_program build(const std::string& source, cl_int& code) {
    const char* text = source.c_str();
    cl_program program = cl.CreateProgramWithSource(context, 1, &text, nullptr, &code);
    expect(code == CL_SUCCESS, "clCreateProgramWithSource", code);
    code = cl.BuildProgram(program, 1, &device, "", nullptr, nullptr);
    return program;
  }
  cl_int build_code(const std::string& source) {
    cl_int code = 0;
    cl.ReleaseProgram(build(source, code));
    return code;
  }
  std::string log(cl_program program) {
    std::size_t size = 0;
    cl.GetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    std::string text(size, '\0');
    cl.GetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, text.data(), nullptr);
    return text;
  }

  /// Builds a kernel that no other call has built (`salt` makes the source distinct), runs it and checks its result.
  void compute(int salt) {
    constexpr std::size_t kItems = 1000;
    cl_int code = 0;
    cl_program program = build("__kernel void f(__global int* a) { a[get_global_id(0)] = (int)get_global_id(0) * 3 + " +
                                   std::to_string(salt) + "; }",
                               code);
    expect(code == CL_SUCCESS, "clBuildProgram", code);
    cl_kernel kernel = cl.CreateKernel(program, "f", &code);
    expect(code == CL_SUCCESS, "clCreateKernel", code);
    cl_mem buffer = cl.CreateBuffer(context, CL_MEM_READ_WRITE, kItems * sizeof(int), nullptr, &code);
    expect(code == CL_SUCCESS, "clCreateBuffer", code);
    expect(cl.SetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS, "clSetKernelArg");
    code = cl.EnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr);
    expect(code == CL_SUCCESS, "clEnqueueNDRangeKernel", code);
    std::vector<int> got(kItems, -1);
    code = cl.EnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kItems * sizeof(int), got.data(), 0, nullptr, nullptr);
    expect(code == CL_SUCCESS, "clEnqueueReadBuffer", code);
    for (std::size_t i = 0; i < kItems; ++i) expect(got[i] == static_cast<int>(i) * 3 + salt, "result", got[i]);
    cl.ReleaseMemObject(buffer);
    cl.ReleaseKernel(kernel);
    cl.ReleaseProgram(program);
  }

  /// Starts a kernel that runs for minutes on every core, and returns when it certainly has begun.
  void start_long_kernel();

  Driver& cl;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
};

}  // namespace lanewise::robustness

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The part of OpenCL that the demo needs, with errors as exceptions. It is a plain OpenCL 1.2 application: nothing
/// here depends on the driver.
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace demo {

inline void check(cl_int code, const char* what) {
  if (code != CL_SUCCESS) throw std::runtime_error(std::string(what) + " failed with " + std::to_string(code));
}

class Session {
 public:
  Session(cl_device_id device, const std::string& source) : device_(device) {
    cl_int code = CL_SUCCESS;
    context_ = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    check(code, "clCreateContext");
    queue_ = clCreateCommandQueue(context_, device, CL_QUEUE_PROFILING_ENABLE, &code);
    check(code, "clCreateCommandQueue");
    const char* text = source.c_str();
    program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, &code);
    check(code, "clCreateProgramWithSource");
    if (clBuildProgram(program_, 1, &device, "", nullptr, nullptr) != CL_SUCCESS)
      throw std::runtime_error("build failed:\n" + build_log());
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    for (cl_kernel kernel : kernels_) clReleaseKernel(kernel);
    for (cl_mem buffer : buffers_) clReleaseMemObject(buffer);
    clReleaseProgram(program_);
    clReleaseCommandQueue(queue_);
    clReleaseContext(context_);
  }

  /// A buffer that starts with the given values and lives as long as the session.
  template <class T>
  cl_mem buffer(const std::vector<T>& values) {
    cl_int code = CL_SUCCESS;
    cl_mem made = clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.size() * sizeof(T),
                                 const_cast<T*>(values.data()), &code);
    check(code, "clCreateBuffer");
    buffers_.push_back(made);
    return made;
  }

  template <class T>
  void read(cl_mem buffer, std::vector<T>& values) {
    check(
        clEnqueueReadBuffer(queue_, buffer, CL_TRUE, 0, values.size() * sizeof(T), values.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  }
  template <class T>
  void write(cl_mem buffer, const std::vector<T>& values) {
    check(
        clEnqueueWriteBuffer(queue_, buffer, CL_TRUE, 0, values.size() * sizeof(T), values.data(), 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
  }

  /// A 2D image, or with height 0 a 1D image, that starts with the given texels if there are any.
  cl_mem image(cl_image_format format, std::size_t width, std::size_t height, const void* texels = nullptr) {
    cl_image_desc desc{};
    desc.image_type = height == 0 ? CL_MEM_OBJECT_IMAGE1D : CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = width;
    desc.image_height = height;
    cl_int code = CL_SUCCESS;
    cl_mem made = clCreateImage(context_, CL_MEM_READ_WRITE | (texels != nullptr ? CL_MEM_COPY_HOST_PTR : 0), &format,
                                &desc, const_cast<void*>(texels), &code);
    check(code, "clCreateImage");
    buffers_.push_back(made);
    return made;
  }
  void read_image(cl_mem image, std::size_t width, std::size_t height, void* texels) {
    const std::size_t origin[] = {0, 0, 0};
    const std::size_t region[] = {width, height, 1};
    check(clEnqueueReadImage(queue_, image, CL_TRUE, origin, region, 0, 0, texels, 0, nullptr, nullptr),
          "clEnqueueReadImage");
  }

  struct Local {
    std::size_t bytes;
  };

  [[nodiscard]] cl_command_queue queue() const { return queue_; }

  /// A kernel with its arguments set, which lives as long as the session.
  template <class... Args>
  cl_kernel kernel(const char* name, Args... args) {
    cl_int code = CL_SUCCESS;
    cl_kernel made = clCreateKernel(program_, name, &code);
    check(code, name);
    kernels_.push_back(made);
    cl_uint index = 0;
    (set(made, index++, args), ...);
    return made;
  }

  /// Runs a kernel and returns the seconds that it took on the device, from its profiling times.
  template <class... Args>
  double run(const char* name, std::vector<std::size_t> global, std::vector<std::size_t> local, Args... args) {
    cl_int code = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program_, name, &code);
    check(code, name);
    cl_uint index = 0;
    (set(kernel, index++, args), ...);
    cl_event event = nullptr;
    check(clEnqueueNDRangeKernel(queue_, kernel, static_cast<cl_uint>(global.size()), nullptr, global.data(),
                                 local.empty() ? nullptr : local.data(), 0, nullptr, &event),
          "clEnqueueNDRangeKernel");
    check(clWaitForEvents(1, &event), "clWaitForEvents");
    cl_ulong start = 0;
    cl_ulong end = 0;
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr), "start time");
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr), "end time");
    clReleaseEvent(event);
    clReleaseKernel(kernel);
    return static_cast<double>(end - start) * 1e-9;
  }

 private:
  template <class T>
  void set(cl_kernel kernel, cl_uint index, const T& value) {
    check(clSetKernelArg(kernel, index, sizeof value, &value), "clSetKernelArg");
  }
  void set(cl_kernel kernel, cl_uint index, const Local& local) {
    check(clSetKernelArg(kernel, index, local.bytes, nullptr), "clSetKernelArg");
  }
  std::string build_log() const {
    std::size_t size = 0;
    clGetProgramBuildInfo(program_, device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    std::string log(size, '\0');
    clGetProgramBuildInfo(program_, device_, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
    return log;
  }

  cl_device_id device_;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
  std::vector<cl_mem> buffers_;
  std::vector<cl_kernel> kernels_;
};

/// The first device of the first platform that has one with all of these extensions.
inline cl_device_id device_with(const std::vector<std::string>& extensions) {
  cl_uint count = 0;
  check(clGetPlatformIDs(0, nullptr, &count), "clGetPlatformIDs");
  std::vector<cl_platform_id> platforms(count);
  check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
  for (cl_platform_id platform : platforms) {
    cl_device_id device = nullptr;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS) continue;
    std::size_t size = 0;
    check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, nullptr, &size), "clGetDeviceInfo");
    std::string all(size, '\0');
    check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, all.data(), nullptr), "clGetDeviceInfo");
    bool has_all = true;
    for (const auto& name : extensions) has_all = has_all && all.find(name) != std::string::npos;
    if (has_all) return device;
  }
  throw std::runtime_error("no device has " + extensions.front());
}

}  // namespace demo

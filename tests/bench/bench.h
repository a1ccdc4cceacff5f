// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Shared by the benchmarks: a session on the requested platform, a clock, and one line per measured value. Plain
/// OpenCL 1.2 through the installed libOpenCL.so.1, so that every driver can be measured with the same program.
#pragma once

#include <CL/cl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace lanewise::bench {

inline void check(cl_int code, const char* what) {
  if (code == CL_SUCCESS) return;
  std::fprintf(stderr, "%s failed with %d\n", what, code);
  std::exit(1);
}

inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// @param fraction  0.5 for the median
inline double quantile(std::vector<double> values, double fraction) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(fraction * static_cast<double>(values.size() - 1) + 0.5)];
}

/// `name value`, in seconds; compare.py reads it.
inline void report(const char* name, double seconds) {
  std::printf("%s %.12f\n", name, seconds);
}

/// Bodies that are measured in turn, so that a machine that is slow for a while is slow for all of them, and their
/// ratios stay right. The shortest run is reported: transfers have one natural time and many reasons for a longer one.
class InTurn {
 public:
  void add(std::string name, std::function<void()> body) { bodies_.push_back({std::move(name), std::move(body)}); }

  /// Reports the shortest time of each body in `rounds` rounds, after one round of warming up.
  void run(int rounds) {
    for (auto& [name, body, best] : bodies_) body();
    for (int i = 0; i < rounds; ++i)
      for (auto& [name, body, best] : bodies_) {
        const double begin = seconds_now();
        body();
        best = std::min(best, seconds_now() - begin);
      }
    for (const auto& [name, body, best] : bodies_) report(name.c_str(), best);
  }

 private:
  struct Body {
    std::string name;
    std::function<void()> run;
    double best = 1e9;
  };
  std::vector<Body> bodies_;
};

/// The first device of the first platform whose name contains `wanted`.
inline cl_device_id find_device(const std::string& wanted) {
  cl_uint count = 0;
  clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(count);
  check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
  for (cl_platform_id platform : platforms) {
    char name[256] = {};
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, nullptr);
    cl_device_id device = nullptr;
    if (std::string(name).find(wanted) != std::string::npos &&
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS)
      return device;
  }
  std::fprintf(stderr, "no platform whose name contains \"%s\"\n", wanted.c_str());
  std::exit(1);
}

struct Session {
  explicit Session(const std::string& platform) : device(find_device(platform)) {
    cl_int code = CL_SUCCESS;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    check(code, "clCreateContext");
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() { clReleaseContext(context); }

  cl_command_queue queue(cl_command_queue_properties properties) const {
    cl_int code = CL_SUCCESS;
    cl_command_queue made = clCreateCommandQueue(context, device, properties, &code);
    check(code, "clCreateCommandQueue");
    return made;
  }
  /// From source to something that can be launched at once. The caller releases both.
  cl_kernel build(const std::string& source, const char* name, cl_program* program, const char* options = "") const {
    cl_int code = CL_SUCCESS;
    const char* text = source.c_str();
    *program = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(*program, 1, &device, options, nullptr, nullptr), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(*program, name, &code);
    check(code, "clCreateKernel");
    have_code(kernel);
    return kernel;
  }
  /// Returns when the kernel's code is there, in drivers that make it after the build: the largest group depends on it.
  void have_code(cl_kernel kernel) const {
    std::size_t items = 0;
    check(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof items, &items, nullptr),
          "clGetKernelWorkGroupInfo");
  }

  cl_device_id device;
  cl_context context = nullptr;
};

}  // namespace lanewise::bench

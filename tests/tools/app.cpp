// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A small OpenCL application for debuggers and profilers to look at.
///
///     lanewise_tools_app KERNELS "BUILD OPTIONS" scale|reverse|burn|overrun [ARGUMENT]
///
/// Prints the kernel's results, so that a script can check that the tool changed nothing. Exit code: 0, 1 after an
/// error.
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

namespace {

void check(cl_int code, const char* what) {
  if (code == CL_SUCCESS) return;
  std::fprintf(stderr, "%s: %d\n", what, code);
  std::exit(1);
}

struct Session {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;

  Session(const std::string& source, const char* options) {
    cl_platform_id platform = nullptr;
    check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
    cl_int code = 0;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    check(code, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");
    const char* text = source.c_str();
    program = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
    check(code, "clCreateProgramWithSource");
    code = clBuildProgram(program, 1, &device, options, nullptr, nullptr);
    char log[4096] = {};
    if (code != CL_SUCCESS) clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, nullptr);
    check(code, log[0] != 0 ? log : "clBuildProgram");
  }
  ~Session() {
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
  }

  /// Runs a kernel on `data`, in place, with one more argument.
  template <class T>
  void run(const char* name, std::vector<T>& data, std::size_t local, std::size_t items,
           const std::vector<std::pair<std::size_t, const void*>>& arguments) const {
    cl_int code = 0;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, data.size() * sizeof(T), data.data(), &code);
    check(code, "clCreateBuffer");
    cl_kernel kernel = clCreateKernel(program, name, &code);
    check(code, "clCreateKernel");
    check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
    for (std::size_t i = 0; i < arguments.size(); ++i)
      check(clSetKernelArg(kernel, static_cast<cl_uint>(i + 1), arguments[i].first, arguments[i].second),
            "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &local, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue), "clFinish");
    void* mapped =
        clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, data.size() * sizeof(T), 0, nullptr, nullptr, &code);
    check(code, "clEnqueueMapBuffer");
    check(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr), "clEnqueueUnmapMemObject");
    check(clFinish(queue), "clFinish");
    clReleaseKernel(kernel);
    clReleaseMemObject(buffer);
  }
};

template <class T>
void show(const std::vector<T>& data) {
  for (const T value : data) std::printf(" %g", static_cast<double>(value));
  std::printf("\n");
}

int run(const Session& session, const std::string& what, int argument) {
  constexpr std::size_t kItems = 8;
  if (what == "scale") {
    std::vector<float> x(kItems);
    std::iota(x.begin(), x.end(), 0.0F);
    const float by = 2.5F;
    const cl_int n = kItems;
    session.run("scale", x, 4, kItems, {{sizeof by, &by}, {sizeof n, &n}});
    show(x);
  } else if (what == "reverse") {
    std::vector<cl_int> x(kItems);
    std::iota(x.begin(), x.end(), 10);
    session.run("reverse", x, 4, kItems, {{4 * sizeof(cl_int), nullptr}});
    show(x);
  } else if (what == "burn") {
    constexpr std::size_t kMany = 4096;
    std::vector<float> x(kMany, 1.0F);
    const cl_int rounds = argument;
    session.run("burn", x, 64, kMany, {{sizeof rounds, &rounds}});
    std::printf(" %d\n", x[0] > 1.0F ? 1 : 0);
  } else if (what == "overrun") {
    std::vector<cl_int> x(kItems, 0);
    const cl_int beyond = argument;
    session.run("overrun", x, 1, kItems, {{sizeof beyond, &beyond}});
    show(x);
  } else {
    return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 1;
  std::ifstream file(argv[1]);
  const std::string source((std::istreambuf_iterator<char>(file)), {});
  const Session session(source, argv[2]);
  return run(session, argv[3], argc > 4 ? std::atoi(argv[4]) : 0);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All OpenCL platforms of the machine work at the same time in this process, two threads each; drivers that bring a
// scheduler of their own (PoCL and Intel's have oneTBB) and this one do not change each other. Ends with 77 if there is
// one platform only.
#include <CL/cl.h>

#include <atomic>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t kItems = std::size_t{1} << 16U;
constexpr int kLaunches = 200;
constexpr const char* kSource =
    "kernel void f(global int* a, int n) { int i = get_global_id(0); int s = 0;"
    " for (int k = 0; k < n; ++k) s += i % 7 + k; a[i] = s; }";

std::atomic<int> g_failed{0};

bool ok(cl_int code, const std::string& platform, const char* what) {
  if (code == CL_SUCCESS) return true;
  std::fprintf(stderr, "%s: %s gives %d\n", platform.c_str(), what, code);
  ++g_failed;
  return false;
}

std::string name_of(cl_platform_id platform) {
  char name[256] = "";
  clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, nullptr);
  return name;
}

void compute(cl_command_queue queue, cl_kernel kernel, cl_mem buffer, const std::string& name) {
  const cl_int rounds = 10;
  std::vector<cl_int> got(kItems);
  clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer);
  clSetKernelArg(kernel, 1, sizeof rounds, &rounds);
  for (int launch = 0; launch < kLaunches; ++launch) {
    const cl_int code = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr);
    if (!ok(code, name, "a launch")) return;
    if (launch % 20 != 0) continue;
    const std::size_t bytes = kItems * sizeof(cl_int);
    if (!ok(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, got.data(), 0, nullptr, nullptr), name, "a read"))
      return;
    for (std::size_t i = 0; i < kItems; ++i)
      if (got[i] != static_cast<cl_int>(i % 7) * rounds + 45) return void(ok(-1, name, "a comparison"));
  }
  ok(clFinish(queue), name, "clFinish");
}

void use(cl_platform_id platform) {
  const std::string name = name_of(platform);
  cl_device_id device = nullptr;
  if (!ok(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), name, "clGetDeviceIDs")) return;
  cl_int code = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  if (!ok(code, name, "clCreateContext")) return;
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
  const char* source = kSource;
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
  if (!ok(clBuildProgram(program, 1, &device, "", nullptr, nullptr), name, "clBuildProgram")) return;
  cl_kernel kernel = clCreateKernel(program, "f", &code);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, kItems * sizeof(cl_int), nullptr, &code);
  if (ok(code, name, "clCreateBuffer")) compute(queue, kernel, buffer, name);
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}

}  // namespace

int main() {
  cl_uint count = 0;
  clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(count);
  clGetPlatformIDs(count, platforms.data(), nullptr);
  bool ours = false;
  for (const cl_platform_id platform : platforms) {
    std::printf("%s\n", name_of(platform).c_str());
    ours = ours || name_of(platform) == "Lanewise";
  }
  if (!ours) return 1;
  if (count < 2) return 77;
  std::vector<std::thread> threads;
  for (const cl_platform_id platform : platforms)
    for (int i = 0; i < 2; ++i) threads.emplace_back(use, platform);
  for (std::thread& thread : threads) thread.join();
  return g_failed != 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An application that is built with AddressSanitizer, and a driver that is not: lanewise_poisoned_app inside | behind |
/// before | released. It accesses a buffer's memory by the pointer of a map, in its bounds or out of them.
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

void check(cl_int code, const char* what) {
  if (code == CL_SUCCESS) return;
  std::fprintf(stderr, "%s: %d\n", what, code);
  std::exit(1);
}

/// The bytes of buffers: less than a page, whole pages, and as many as have huge pages.
constexpr std::size_t kSizes[]{100, 8192, std::size_t{5} << 20U};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_int code = 0;
  check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  check(code, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
  check(code, "clCreateCommandQueue");
  for (const std::size_t bytes : kSizes) {
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
    check(code, "clCreateBuffer");
    volatile char* mapped = static_cast<char*>(
        clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, nullptr, nullptr, &code));
    check(code, "clEnqueueMapBuffer");
    for (std::size_t i = 0; i < bytes; ++i) mapped[i] = static_cast<char>(i);
    if (what == "behind") mapped[bytes] = 1;
    if (what == "before") mapped[-1] = 1;
    check(clEnqueueUnmapMemObject(queue, buffer, const_cast<char*>(mapped), 0, nullptr, nullptr), "unmap");
    check(clFinish(queue), "clFinish");
    check(clReleaseMemObject(buffer), "clReleaseMemObject");
    if (what == "released") mapped[0] = 1;
  }
  // The memory of the application is its own.
  for (int round = 0; round < 100; ++round) std::free(std::calloc(1, std::size_t{1} << 20U));
  std::puts("done");
  return 0;
}

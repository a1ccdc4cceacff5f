// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-list: platforms and devices with their names, as the smallest useful OpenCL program prints them. With an
// argument it reports its memory and threads afterwards.
#include <CL/cl.h>

#include <vector>

#include "tests/bench/inspect.h"

int main(int count, char**) {
  cl_uint platforms = 0;
  clGetPlatformIDs(0, nullptr, &platforms);
  std::vector<cl_platform_id> platform(platforms);
  clGetPlatformIDs(platforms, platform.data(), nullptr);
  char name[512] = {};
  for (cl_platform_id p : platform) {
    clGetPlatformInfo(p, CL_PLATFORM_NAME, sizeof name, name, nullptr);
    std::printf("platform %s\n", name);
    cl_uint devices = 0;
    clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 0, nullptr, &devices);
    std::vector<cl_device_id> device(devices);
    if (devices != 0) clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, devices, device.data(), nullptr);
    for (cl_device_id d : device) {
      clGetDeviceInfo(d, CL_DEVICE_NAME, sizeof name, name, nullptr);
      std::printf("device %s\n", name);
    }
  }
  if (count > 1) lanewise::bench::print_weight();
  return platforms == 0 ? 1 : 0;
}

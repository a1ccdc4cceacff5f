// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-spread [PLATFORM]: launches of few, heavy work-items: how well a driver spreads them over its threads. Every
// launch of a kernel does the same number of steps, divided among more and more work-items, so that its time shows how
// many of them ran at once. Reports `KERNEL/LOCAL_SIZE/ITEMS seconds`: the median of launch + clFinish, from the second
// launch on; and `threads`, `multiple`.
#include <thread>

#include "tests/bench/bench.h"

namespace {

using namespace lanewise::bench;

constexpr std::size_t kMostItems = 4096;
constexpr cl_uint kSteps = 2'000'000;  ///< of a launch

const char* const kSource = R"(
__kernel void scalar(__global uint* out, uint steps) {
  uint x = get_global_id(0);
  for (uint i = 0; i < steps; ++i) x = x * 1664525u + (x >> 7) + i;
  out[get_global_id(0)] = x;
}
__kernel void vector16(__global uint* out, uint steps) {
  uint16 x = (uint16)(get_global_id(0)) + (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  for (uint i = 0; i < steps; ++i) x = x * 1664525u + (x >> 7u) + i;
  uint8 y = x.lo ^ x.hi;
  uint4 z = y.lo ^ y.hi;
  out[get_global_id(0)] = z.x ^ z.y ^ z.z ^ z.w;
}
__kernel void table(__global uint* out, uint steps) {
  uint t[256];
  uint x = get_global_id(0);
  for (uint i = 0; i < 256; ++i) t[i] = i * 2654435761u + x;
  for (uint i = 0; i < steps; ++i) {
    x = t[(x ^ i) & 255] + (x >> 3);
    t[i & 255] += x;
  }
  out[get_global_id(0)] = x;
}
)";

class Spread {
 public:
  explicit Spread(const std::string& platform) : session_(platform), queue_(session_.queue(0)) {
    cl_int code = CL_SUCCESS;
    out_ = clCreateBuffer(session_.context, CL_MEM_READ_WRITE, kMostItems * sizeof(cl_uint), nullptr, &code);
    check(code, "clCreateBuffer");
  }
  Spread(const Spread&) = delete;
  Spread& operator=(const Spread&) = delete;
  ~Spread() {
    clReleaseMemObject(out_);
    clReleaseCommandQueue(queue_);
  }

  void run(const char* name) {
    cl_program program = nullptr;
    cl_kernel kernel = session_.build(kSource, name, &program);
    check(clSetKernelArg(kernel, 0, sizeof out_, &out_), "clSetKernelArg");
    std::size_t multiple = 1;
    check(clGetKernelWorkGroupInfo(kernel, session_.device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                   sizeof multiple, &multiple, nullptr),
          "clGetKernelWorkGroupInfo");
    std::printf("%s/multiple %zu\n", name, multiple);
    for (const std::size_t local : {1U, 4U, 16U, 64U}) {
      warm_up(kernel, local);
      for (std::size_t items = local; items <= kMostItems; items *= 2) measure(kernel, name, local, items);
    }
    clReleaseKernel(kernel);
    clReleaseProgram(program);
  }

  void describe() const {
    cl_uint units = 0;
    check(clGetDeviceInfo(session_.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr), "units");
    std::printf("threads %u\n", units);
  }

 private:
  /// Drivers that compile hot kernels again do so here, so that runs with one thread and with all compare the same
  /// code. In the second part they may find out which of several forms is the fastest.
  void warm_up(cl_kernel kernel, std::size_t local) {
    const std::size_t items = 1024;
    const auto steps = static_cast<cl_uint>(kSteps / items);
    check(clSetKernelArg(kernel, 1, sizeof steps, &steps), "clSetKernelArg");
    for (const double seconds : {1.6, 0.4}) {
      for (const double begin = seconds_now(); seconds_now() - begin < seconds;) {
        check(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &items, &local, 0, nullptr, nullptr), "launch");
        check(clFinish(queue_), "clFinish");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
    }
  }

  void measure(cl_kernel kernel, const char* name, std::size_t local, std::size_t items) {
    const auto steps = static_cast<cl_uint>(std::max<std::size_t>(kSteps / items, 1));
    check(clSetKernelArg(kernel, 1, sizeof steps, &steps), "clSetKernelArg");
    std::vector<double> times;
    for (int i = 0; i < 8; ++i) {
      const double begin = seconds_now();
      check(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &items, &local, 0, nullptr, nullptr), "launch");
      check(clFinish(queue_), "clFinish");
      if (i != 0) times.push_back(seconds_now() - begin);
    }
    const std::string label = std::string(name) + "/" + std::to_string(local) + "/" + std::to_string(items);
    report(label.c_str(), quantile(times, 0.5));
  }

  Session session_;
  cl_command_queue queue_;
  cl_mem out_ = nullptr;
};

}  // namespace

int main(int count, char** values) {
  Spread spread(count > 1 ? values[1] : "");
  spread.describe();
  for (const char* kernel : {"scalar", "vector16", "table"}) spread.run(kernel);
  return 0;
}

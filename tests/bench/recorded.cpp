// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-recorded [PLATFORM]: commands that are recorded once (cl_khr_command_buffer) compared with the same commands
// enqueued one by one. A platform without the extension only has the latter. All kernels count, so that it is certain
// that every command ran.
#include <functional>

#include "include/lanewise/command_buffer.h"
#include "tests/bench/bench.h"

namespace {

using namespace lanewise::bench;
namespace api = lanewise::api;

class Recorded {
 public:
  explicit Recorded(const std::string& platform) : session_(platform) {
    queue_ = session_.queue(0);
    cl_platform_id id = nullptr;
    check(clGetDeviceInfo(session_.device, CL_DEVICE_PLATFORM, sizeof id, &id, nullptr), "clGetDeviceInfo");
    std::size_t size = 0;
    check(clGetDeviceInfo(session_.device, CL_DEVICE_EXTENSIONS, 0, nullptr, &size), "clGetDeviceInfo");
    std::string extensions(size, ' ');
    check(clGetDeviceInfo(session_.device, CL_DEVICE_EXTENSIONS, size, extensions.data(), nullptr), "clGetDeviceInfo");
    // The loader may have these functions though the driver does not.
    if (extensions.find("cl_khr_command_buffer") == std::string::npos) return;
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
          clGetExtensionFunctionAddressForPlatform(id, name));
    };
    find(create_, "clCreateCommandBufferKHR");
    find(finalize_, "clFinalizeCommandBufferKHR");
    find(release_, "clReleaseCommandBufferKHR");
    find(enqueue_, "clEnqueueCommandBufferKHR");
    find(record_, "clCommandNDRangeKernelKHR");
  }
  Recorded(const Recorded&) = delete;
  Recorded& operator=(const Recorded&) = delete;
  ~Recorded() { clReleaseCommandQueue(queue_); }

  /// `count` launches of `source`'s kernel f(global int*) over `items` work-items, `rounds` times.
  void measure(const std::string& name, const char* source, std::size_t items, int count, int rounds) {
    cl_program program = nullptr;
    cl_kernel kernel = session_.build(source, "f", &program);
    cl_int code = CL_SUCCESS;
    std::vector<cl_int> values(items, 0);
    cl_mem memory =
        clCreateBuffer(session_.context, CL_MEM_COPY_HOST_PTR, items * sizeof(cl_int), values.data(), &code);
    check(code, "clCreateBuffer");
    check(clSetKernelArg(kernel, 0, sizeof memory, &memory), "clSetKernelArg");
    const auto one_by_one = [&] {
      for (int i = 0; i < count; ++i)
        check(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr), "launch");
      check(clFinish(queue_), "clFinish");
    };
    cl_command_buffer_khr buffer = nullptr;
    if (create_ != nullptr) {
      buffer = create_(1, &queue_, nullptr, &code);
      check(code, "clCreateCommandBufferKHR");
      for (int i = 0; i < count; ++i)
        check(record_(buffer, nullptr, nullptr, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr, nullptr),
              "clCommandNDRangeKernelKHR");
      check(finalize_(buffer), "clFinalizeCommandBufferKHR");
    }
    const auto recorded = [&] {
      check(enqueue_(0, nullptr, buffer, 0, nullptr, nullptr), "clEnqueueCommandBufferKHR");
      check(clFinish(queue_), "clFinish");
    };
    std::vector<double> single;
    std::vector<double> whole;
    for (int i = 0; i < rounds + 50; ++i) {
      const double begin = seconds_now();
      one_by_one();
      const double middle = seconds_now();
      if (buffer != nullptr) recorded();
      if (i < 50) continue;
      single.push_back(middle - begin);
      whole.push_back(seconds_now() - middle);
    }
    report((name + "_one_by_one_each").c_str(), quantile(single, 0.5) / count);
    if (buffer != nullptr) {
      report((name + "_recorded_each").c_str(), quantile(whole, 0.5) / count);
      check(release_(buffer), "clReleaseCommandBufferKHR");
    }
    check(clReleaseMemObject(memory), "clReleaseMemObject");
    check(clReleaseKernel(kernel), "clReleaseKernel");
    check(clReleaseProgram(program), "clReleaseProgram");
  }

 private:
  Session session_;
  cl_command_queue queue_ = nullptr;
  decltype(&api::clCreateCommandBufferKHR) create_ = nullptr;
  decltype(&api::clFinalizeCommandBufferKHR) finalize_ = nullptr;
  decltype(&api::clReleaseCommandBufferKHR) release_ = nullptr;
  decltype(&api::clEnqueueCommandBufferKHR) enqueue_ = nullptr;
  decltype(&api::clCommandNDRangeKernelKHR) record_ = nullptr;
};

}  // namespace

int main(int count, char** values) {
  Recorded recorded(count > 1 ? values[1] : "");
  const char* empty = "__kernel void f(__global int* a) {}";
  const char* layer = "__kernel void f(__global int* a) { size_t i = get_global_id(0); a[i] = max(a[i] * 3 + 1, 0); }";
  recorded.measure("empty_chain_of_100", empty, 1, 100, 1000);
  recorded.measure("empty_alone", empty, 1, 1, 5000);
  // The shape of a small neural network: 200 kernels of a few microseconds each, run 10,000 times.
  recorded.measure("network_of_200", layer, 4096, 200, 10000);
  // Kernels that are worth dividing among threads.
  recorded.measure("large_chain_of_10", layer, 1 << 20, 10, 50);
  return 0;
}

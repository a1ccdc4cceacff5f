// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-objects [PLATFORM]: the cost of creating, first using and releasing memory objects, and the time from the end
// of a command to its callback.
#include <atomic>
#include <thread>

#include "tests/bench/bench.h"

namespace {

using namespace lanewise::bench;

constexpr std::size_t kSmall = std::size_t{4} << 10;
constexpr std::size_t kLarge = std::size_t{16} << 20;

class Objects {
 public:
  explicit Objects(const std::string& platform) : session_(platform), queue_(session_.queue(0)) {}
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;
  ~Objects() { clReleaseCommandQueue(queue_); }

  /// One after the other, as in a program that creates temporaries; then 64 that exist at once.
  void buffers() {
    report("buffer_small", each(2000, [this] { clReleaseMemObject(buffer(kSmall)); }));
    constexpr int kAlive = 64;
    report("buffers_alive", each(100, [this] {
                              std::vector<cl_mem> alive(kAlive);
                              for (cl_mem& one : alive) one = buffer(kSmall);
                              for (cl_mem one : alive) clReleaseMemObject(one);
                            }) / kAlive);
  }

  /// Created, filled by the device and released.
  void first_touch() {
    report("first_touch", each(10, [this] {
             cl_mem made = buffer(kLarge);
             const cl_uint pattern = 0x01020304;
             check(clEnqueueFillBuffer(queue_, made, &pattern, sizeof pattern, 0, kLarge, 0, nullptr, nullptr), "fill");
             check(clFinish(queue_), "clFinish");
             clReleaseMemObject(made);
           }));
  }

  void svm() {
    cl_device_svm_capabilities capabilities = 0;
    clGetDeviceInfo(session_.device, CL_DEVICE_SVM_CAPABILITIES, sizeof capabilities, &capabilities, nullptr);
    if (capabilities == 0) return;
    report("svm_small", each(2000, [this] {
             void* made = clSVMAlloc(session_.context, CL_MEM_READ_WRITE, kSmall, 0);
             if (made == nullptr) check(CL_OUT_OF_RESOURCES, "clSVMAlloc");
             clSVMFree(session_.context, made);
           }));
  }

  /// From the enqueue of a marker to the callback of its event, after a pause in which threads fall asleep.
  void callback(const char* name, std::chrono::microseconds pause) {
    std::vector<double> times;
    for (int i = 0; i < 300; ++i) {
      std::this_thread::sleep_for(pause);
      std::atomic<bool> called = false;
      const double begin = seconds_now();
      cl_event event = nullptr;
      check(clEnqueueMarkerWithWaitList(queue_, 0, nullptr, &event), "marker");
      check(clSetEventCallback(
                event, CL_COMPLETE,
                [](cl_event, cl_int, void* data) { static_cast<std::atomic<bool>*>(data)->store(true); }, &called),
            "clSetEventCallback");
      check(clFlush(queue_), "clFlush");
      while (!called.load()) std::this_thread::yield();
      if (i >= 20) times.push_back(seconds_now() - begin);
      clReleaseEvent(event);
    }
    report(name, quantile(times, 0.5));
  }

 private:
  [[nodiscard]] cl_mem buffer(std::size_t size) const {
    cl_int code = CL_SUCCESS;
    cl_mem made = clCreateBuffer(session_.context, CL_MEM_READ_WRITE, size, nullptr, &code);
    check(code, "clCreateBuffer");
    return made;
  }

  /// Seconds of one call, in the median of nine rounds of `count` calls.
  static double each(int count, const std::function<void()>& body) {
    std::vector<double> times;
    for (int round = 0; round < 10; ++round) {
      const double begin = seconds_now();
      for (int i = 0; i < count; ++i) body();
      if (round > 0) times.push_back((seconds_now() - begin) / count);
    }
    return quantile(times, 0.5);
  }

  Session session_;
  cl_command_queue queue_;
};

}  // namespace

int main(int count, char** values) {
  Objects objects(count > 1 ? values[1] : "");
  objects.buffers();
  objects.first_touch();
  objects.svm();
  objects.callback("callback_soon", std::chrono::microseconds(0));
  objects.callback("callback_later", std::chrono::microseconds(1000));
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-launch [PLATFORM]: the overhead of a launch: empty kernels of one work-item, and one that counts its launches,
// so that it is certain that every one of them ran.
#include <functional>

#include "tests/bench/bench.h"

namespace {

using namespace lanewise::bench;

class Launches {
 public:
  explicit Launches(const std::string& platform) : session_(platform) {
    kernel_ = session_.build("__kernel void empty() {}", "empty", &program_);
    in_order_ = session_.queue(0);
    out_of_order_ = session_.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  }
  Launches(const Launches&) = delete;
  Launches& operator=(const Launches&) = delete;
  ~Launches() {
    clReleaseCommandQueue(in_order_);
    clReleaseCommandQueue(out_of_order_);
    clReleaseKernel(kernel_);
    clReleaseProgram(program_);
  }

  /// Enqueue and finish, one at a time.
  void latency() {
    std::vector<double> times;
    for (int i = 0; i < 21'000; ++i) {
      const double begin = seconds_now();
      launch(in_order_, nullptr, nullptr);
      check(clFinish(in_order_), "clFinish");
      if (i >= 1000) times.push_back(seconds_now() - begin);
    }
    report("latency_median", quantile(times, 0.5));
    report("latency_p99", quantile(times, 0.99));
  }

  void back_to_back() {
    constexpr int kCount = 10'000;
    const double total = median_of(7, [&] {
      for (int i = 0; i < kCount; ++i) launch(in_order_, nullptr, nullptr);
      check(clFinish(in_order_), "clFinish");
    });
    report("back_to_back_total", total);
    report("back_to_back_each", total / kCount);
  }

  /// The same with a kernel of so many work-items that counts, and a check of the count.
  void counted(const char* figure, const char* source, std::size_t items) {
    constexpr int kCount = 10'000;
    cl_program program = nullptr;
    cl_kernel kernel = session_.build(source, "count", &program);
    cl_int code = CL_SUCCESS;
    int value = 0;
    cl_mem buffer = clCreateBuffer(session_.context, CL_MEM_COPY_HOST_PTR, sizeof value, &value, &code);
    check(code, "clCreateBuffer");
    check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
    const double total = median_of(7, [&] {
      for (int i = 0; i < kCount; ++i)
        check(clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr), "launch");
      check(clFinish(in_order_), "clFinish");
    });
    check(clEnqueueReadBuffer(in_order_, buffer, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr), "read");
    const int expected = 8 * kCount * static_cast<int>(items);
    if (value != expected) {
      std::fprintf(stderr, "%s: %d work-items had an effect, not %d\n", figure, value, expected);
      std::exit(1);
    }
    report(figure, total / kCount);
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
  }

  /// Each launch waits for the one before it, through its event.
  void chain() {
    constexpr int kCount = 2000;
    const double total = median_of(7, [&] {
      cl_event last = nullptr;
      for (int i = 0; i < kCount; ++i) {
        cl_event next = nullptr;
        launch(out_of_order_, last, &next);
        if (last != nullptr) clReleaseEvent(last);
        last = next;
      }
      check(clWaitForEvents(1, &last), "clWaitForEvents");
      clReleaseEvent(last);
    });
    report("chain_each", total / kCount);
  }

  /// Many launches that wait for one.
  void fan_out() {
    constexpr int kCount = 2000;
    const double total = median_of(7, [&] {
      cl_event root = nullptr;
      launch(out_of_order_, nullptr, &root);
      for (int i = 0; i < kCount; ++i) launch(out_of_order_, root, nullptr);
      check(clFinish(out_of_order_), "clFinish");
      clReleaseEvent(root);
    });
    report("fan_out_each", total / kCount);
  }

 private:
  void launch(cl_command_queue queue, cl_event after, cl_event* event) const {
    const std::size_t one = 1;
    check(clEnqueueNDRangeKernel(queue, kernel_, 1, nullptr, &one, &one, after != nullptr ? 1 : 0,
                                 after != nullptr ? &after : nullptr, event),
          "clEnqueueNDRangeKernel");
  }
  static double median_of(int rounds, const std::function<void()>& body) {
    body();
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i) {
      const double begin = seconds_now();
      body();
      times.push_back(seconds_now() - begin);
    }
    return quantile(times, 0.5);
  }

  Session session_;
  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
  cl_command_queue in_order_ = nullptr;
  cl_command_queue out_of_order_ = nullptr;
};

}  // namespace

int main(int count, char** values) {
  Launches launches(count > 1 ? values[1] : "");
  launches.latency();
  launches.back_to_back();
  launches.counted("counted_each", "__kernel void count(__global int* a) { a[0] += 1; }", 1);
  // A kernel that only adds, as private copies might be made for it.
  launches.counted("added_each", "__kernel void count(__global int* a) { atomic_inc(a); }", 64);
  launches.chain();
  launches.fan_out();
  return 0;
}

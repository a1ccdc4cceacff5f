// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An application that is built with ThreadSanitizer, and a driver that is not: lanewise_sanitized_app [race|late]. Threads
/// write what commands read and read what commands wrote, ordered by queues and events only. With `race`, the main
/// thread reads a result without waiting for it: the sanitizer still finds that.
#include <CL/cl.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

namespace {

void check(cl_int code, const char* what) {
  if (code == CL_SUCCESS) return;
  std::fprintf(stderr, "%s: %d\n", what, code);
  std::exit(1);
}

constexpr const char* kSource = R"(kernel void saxpy(global float *y, global const float *x, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
})";
constexpr std::size_t kItems = 1 << 17;  // small enough for memcpy, which the sanitizer sees
constexpr std::size_t kBytes = kItems * sizeof(float);

struct Session {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_program program = nullptr;
};

Session open_session() {
  Session session;
  cl_platform_id platform = nullptr;
  cl_int code = 0;
  check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &session.device, nullptr), "clGetDeviceIDs");
  session.context = clCreateContext(nullptr, 1, &session.device, nullptr, nullptr, &code);
  check(code, "clCreateContext");
  const char* text = kSource;
  session.program = clCreateProgramWithSource(session.context, 1, &text, nullptr, &code);
  check(clBuildProgram(session.program, 1, &session.device, "", nullptr, nullptr), "clBuildProgram");
  return session;
}

/// Each copy runs on the driver's threads, and their accesses are the sanitizer's to see.
bool saxpy(const Session& session, cl_command_queue_properties properties, int rounds) {
  cl_int code = 0;
  cl_command_queue queue = clCreateCommandQueue(session.context, session.device, properties, &code);
  cl_kernel kernel = clCreateKernel(session.program, "saxpy", &code);
  cl_mem x = clCreateBuffer(session.context, CL_MEM_READ_WRITE, kBytes, nullptr, &code);
  cl_mem y = clCreateBuffer(session.context, CL_MEM_READ_WRITE, kBytes, nullptr, &code);
  check(code, "clCreateBuffer");
  const float a = 2;
  clSetKernelArg(kernel, 0, sizeof y, &y);
  clSetKernelArg(kernel, 1, sizeof x, &x);
  clSetKernelArg(kernel, 2, sizeof a, &a);
  std::vector<float> in(kItems);
  std::vector<float> out(kItems);
  for (int round = 0; round < rounds; ++round) {
    for (float& value : in) value = static_cast<float>(round);
    cl_event events[4];
    const auto bytes = [&](bool write, cl_mem buffer, std::vector<float>& data, cl_uint waits, const cl_event* list,
                           cl_event* event) {
      return write ? clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kBytes, data.data(), waits, list, event)
                   : clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, kBytes, data.data(), waits, list, event);
    };
    check(bytes(true, x, in, 0, nullptr, &events[0]), "write");
    check(bytes(true, y, in, 1, &events[0], &events[1]), "write");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, nullptr, 2, events, &events[2]), "launch");
    check(bytes(false, y, out, 1, &events[2], &events[3]), "read");
    check(clWaitForEvents(1, &events[3]), "clWaitForEvents");
    for (const cl_event event : events) clReleaseEvent(event);
    if (out[kItems - 1] != 3 * static_cast<float>(round)) return false;
  }
  clReleaseMemObject(x);
  clReleaseMemObject(y);
  clReleaseKernel(kernel);
  return clReleaseCommandQueue(queue) == CL_SUCCESS;
}

/// A launch that waits for its code, and for a thread of which nothing says that it comes after the enqueue: that thread
/// completes the launch. Expects a program without code.
bool late_launch(const Session& session) {
  cl_int code = 0;
  cl_command_queue queue = clCreateCommandQueue(session.context, session.device, 0, &code);
  cl_mem memory = clCreateBuffer(session.context, CL_MEM_READ_WRITE, kBytes, nullptr, &code);
  cl_event go = clCreateUserEvent(session.context, &code);
  check(code, "clCreateUserEvent");
  std::atomic<bool> enqueued{false};
  std::thread other([&] {
    while (!enqueued.load(std::memory_order_relaxed)) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(500));  // the code is there
    check(clSetUserEventStatus(go, CL_COMPLETE), "clSetUserEventStatus");
  });
  cl_kernel kernel = clCreateKernel(session.program, "saxpy", &code);
  const float a = 2;
  clSetKernelArg(kernel, 0, sizeof memory, &memory);
  clSetKernelArg(kernel, 1, sizeof memory, &memory);
  clSetKernelArg(kernel, 2, sizeof a, &a);
  check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, nullptr, 1, &go, nullptr), "launch");
  enqueued.store(true, std::memory_order_relaxed);
  other.join();
  const bool good = clFinish(queue) == CL_SUCCESS;
  clReleaseEvent(go);
  clReleaseKernel(kernel);
  clReleaseMemObject(memory);
  return clReleaseCommandQueue(queue) == CL_SUCCESS && good;
}

/// Reads the host's memory before the command that writes it has been waited for.
void race(const Session& session) {
  cl_int code = 0;
  cl_command_queue queue = clCreateCommandQueue(session.context, session.device, 0, &code);
  cl_mem buffer = clCreateBuffer(session.context, CL_MEM_READ_WRITE, kBytes, nullptr, &code);
  std::vector<float> out(kItems);
  check(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, kBytes, out.data(), 0, nullptr, nullptr), "read");
  clFlush(queue);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // the sanitizer knows no order by time
  std::printf("%g\n", static_cast<double>(out[kItems / 2]));
}

}  // namespace

int main(int argc, char** argv) {
  const Session session = open_session();
  if (argc > 1 && std::string_view(argv[1]) == "race") {
    race(session);
    return 0;
  }
  if (argc > 1 && std::string_view(argv[1]) == "late") return late_launch(session) ? 0 : 1;
  // One thread after the other: memory that the driver uses again for another thread looks like a race.
  bool good[2] = {};
  good[0] = saxpy(session, 0, 4);
  std::thread other([&] { good[1] = saxpy(session, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 4); });
  other.join();
  return good[0] && good[1] ? 0 : 1;
}

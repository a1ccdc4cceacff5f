// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-device [PLATFORM]: kernels that enqueue kernels, as a chain, a tree and one parent with many children, beside the
// same launches by the host; and packets through a pipe. A platform prints what it has. All kernels count, so that it is
// certain that every one of them ran.
#include <cstring>

#include "tests/bench/bench.h"

namespace {

using namespace lanewise::bench;

const char* const kKernels = R"(
void count(global int* n) { atomic_fetch_add_explicit((global atomic_int*)n, 1, memory_order_relaxed); }

kernel void alone(global int* n) { count(n); }
kernel void chain(global int* n, int depth) {
  count(n);
  if (depth > 1)
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ chain(n, depth - 1); });
}
kernel void tree(global int* n, int depth) {
  count(n);
  if (depth > 1)
    for (int k = 0; k < 2; ++k)
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ tree(n, depth - 1); });
}
kernel void wide(global int* n, int children) {
  count(n);
  for (int k = 1; k < children; ++k)
    while (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ count(n); }) != 0) {}
}
)";

const char* const kPipes = R"(
kernel void put(write_only pipe int out, global int* failed) {
  int v = get_global_id(0);
  if (write_pipe(out, &v) != 0) atomic_fetch_add_explicit((global atomic_int*)failed, 1, memory_order_relaxed);
}
kernel void get(read_only pipe int in, global int* values) {
  int v = 0;
  if (read_pipe(in, &v) == 0) values[get_global_id(0)] = v;
}
kernel void put_groups(write_only pipe int out, global int* failed) {
  int v = get_global_id(0);
  reserve_id_t r = work_group_reserve_write_pipe(out, get_local_size(0));
  if (is_valid_reserve_id(r)) {
    write_pipe(out, r, get_local_id(0), &v);
    work_group_commit_write_pipe(out, r);
  } else {
    atomic_fetch_add_explicit((global atomic_int*)failed, 1, memory_order_relaxed);
  }
}
kernel void get_groups(read_only pipe int in, global int* values) {
  int v = 0;
  reserve_id_t r = work_group_reserve_read_pipe(in, get_local_size(0));
  if (is_valid_reserve_id(r)) {
    read_pipe(in, r, get_local_id(0), &v);
    work_group_commit_read_pipe(in, r);
    values[get_global_id(0)] = v;
  }
}
)";

constexpr std::size_t kPackets = 1 << 20;

class Device {
 public:
  explicit Device(const std::string& platform) : session_(platform) {
    queue_ = session_.queue(0);
    cl_int code = CL_SUCCESS;
    numbers_ = clCreateBuffer(session_.context, CL_MEM_READ_WRITE, kPackets * sizeof(cl_int), nullptr, &code);
    check(code, "clCreateBuffer");
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() {
    check(clReleaseMemObject(numbers_), "clReleaseMemObject");
    check(clReleaseCommandQueue(queue_), "clReleaseCommandQueue");
  }

  void enqueue() {
    if (value_of<cl_bitfield>(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) == 0) return;
    const cl_queue_properties wanted[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT,
        CL_QUEUE_SIZE, value_of<cl_uint>(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE), 0};
    cl_int code = CL_SUCCESS;
    cl_command_queue inner = clCreateCommandQueueWithProperties(session_.context, session_.device, wanted, &code);
    check(code, "clCreateCommandQueueWithProperties");
    program_ = build(kKernels);
    kernels("chain", 500, 500);
    kernels("tree", 9, 511);
    kernels("wide", 500, 500);
    by_host(500);
    check(clReleaseProgram(program_), "clReleaseProgram");
    check(clReleaseCommandQueue(inner), "clReleaseCommandQueue");
  }

  void pipes() {
    if (value_of<cl_bool>(CL_DEVICE_PIPE_SUPPORT) == 0) return;
    program_ = build(kPipes);
    cl_int code = CL_SUCCESS;
    cl_mem pipe = clCreatePipe(session_.context, 0, sizeof(cl_int), kPackets, nullptr, &code);
    check(code, "clCreatePipe");
    through(pipe, "put", "get", "pipe_packets");
    through(pipe, "put_groups", "get_groups", "pipe_groups");
    check(clReleaseMemObject(pipe), "clReleaseMemObject");
    check(clReleaseProgram(program_), "clReleaseProgram");
  }

 private:
  template <class T>
  [[nodiscard]] T value_of(cl_device_info what) const {
    T value{};
    return clGetDeviceInfo(session_.device, what, sizeof value, &value, nullptr) == CL_SUCCESS ? value : T{};
  }
  cl_program build(const char* source) const {
    char version[128] = {};
    check(clGetDeviceInfo(session_.device, CL_DEVICE_OPENCL_C_VERSION, sizeof version, version, nullptr), "version");
    const bool second = std::strncmp(version, "OpenCL C 2", 10) == 0;
    cl_program program = nullptr;
    check(clReleaseKernel(session_.build(source, source == kKernels ? "alone" : "put", &program,
                                         second ? "-cl-std=CL2.0" : "-cl-std=CL3.0")),
          "clReleaseKernel");
    return program;
  }
  cl_kernel kernel(const char* name) const {
    cl_int code = CL_SUCCESS;
    cl_kernel made = clCreateKernel(program_, name, &code);
    check(code, name);
    return made;
  }
  void clear() const {
    const cl_int zero = 0;
    check(clEnqueueFillBuffer(queue_, numbers_, &zero, sizeof zero, 0, sizeof zero, 0, nullptr, nullptr), "fill");
    check(clFinish(queue_), "clFinish");
  }
  [[nodiscard]] cl_int first_number() const {
    cl_int value = -1;
    check(clEnqueueReadBuffer(queue_, numbers_, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr), "read");
    return value;
  }
  void expect(cl_int expected, const char* what) const {
    if (first_number() == expected) return;
    std::fprintf(stderr, "%s: not every kernel ran\n", what);
    std::exit(1);
  }
  void launch(cl_kernel what, std::size_t items, const std::size_t* local) const {
    check(clEnqueueNDRangeKernel(queue_, what, 1, nullptr, &items, local, 0, nullptr, nullptr), "launch");
  }

  /// One launch that becomes `count` kernels.
  void kernels(const char* name, cl_int argument, int count) const {
    cl_kernel parent = kernel(name);
    check(clSetKernelArg(parent, 0, sizeof numbers_, &numbers_), "clSetKernelArg");
    check(clSetKernelArg(parent, 1, sizeof argument, &argument), "clSetKernelArg");
    std::vector<double> times;
    for (int round = 0; round < 60; ++round) {
      clear();
      const double begin = seconds_now();
      launch(parent, 1, nullptr);
      check(clFinish(queue_), "clFinish");
      if (round >= 10) times.push_back(seconds_now() - begin);
      expect(count, name);
    }
    report((std::string("enqueue_") + name + "_each").c_str(), quantile(times, 0.5) / count);
    check(clReleaseKernel(parent), "clReleaseKernel");
  }
  /// As many launches by the host.
  void by_host(int count) const {
    cl_kernel alone = kernel("alone");
    check(clSetKernelArg(alone, 0, sizeof numbers_, &numbers_), "clSetKernelArg");
    std::vector<double> times;
    for (int round = 0; round < 60; ++round) {
      clear();
      const double begin = seconds_now();
      for (int i = 0; i < count; ++i) launch(alone, 1, nullptr);
      check(clFinish(queue_), "clFinish");
      if (round >= 10) times.push_back(seconds_now() - begin);
      expect(count, "host");
    }
    report("enqueue_host_each", quantile(times, 0.5) / count);
    check(clReleaseKernel(alone), "clReleaseKernel");
  }
  /// All packets of a full pipe, written and then read.
  void through(cl_mem pipe, const char* put_name, const char* get_name, const char* what) const {
    cl_kernel put = kernel(put_name);
    cl_kernel get = kernel(get_name);
    for (cl_kernel each : {put, get}) {
      check(clSetKernelArg(each, 0, sizeof pipe, &pipe), "clSetKernelArg");
      check(clSetKernelArg(each, 1, sizeof numbers_, &numbers_), "clSetKernelArg");
    }
    constexpr std::size_t kLocal = 64;
    std::vector<double> writes;
    std::vector<double> reads;
    for (int round = 0; round < 40; ++round) {
      clear();
      const double begin = seconds_now();
      launch(put, kPackets, &kLocal);
      check(clFinish(queue_), "clFinish");
      const double middle = seconds_now();
      expect(0, put_name);
      const double again = seconds_now();
      launch(get, kPackets, &kLocal);
      check(clFinish(queue_), "clFinish");
      if (round < 10) continue;
      writes.push_back(middle - begin);
      reads.push_back(seconds_now() - again);
    }
    report((std::string(what) + "_written_each").c_str(), quantile(writes, 0.5) / kPackets);
    report((std::string(what) + "_read_each").c_str(), quantile(reads, 0.5) / kPackets);
    check(clReleaseKernel(put), "clReleaseKernel");
    check(clReleaseKernel(get), "clReleaseKernel");
  }

  Session session_;
  cl_command_queue queue_ = nullptr;
  cl_mem numbers_ = nullptr;
  cl_program program_ = nullptr;
};

}  // namespace

int main(int count, char** values) {
  Device device(count > 1 ? values[1] : "");
  device.enqueue();
  device.pipes();
  return 0;
}

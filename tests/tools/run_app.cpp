// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs for the tests of traces and messages: queues in and out of order, events, transfers, a hot kernel.
///
///     lanewise_run_app mixed            every kind of command once, with waits
///     lanewise_run_app hot              launches of a kernel that takes its time
///     lanewise_run_app launches COUNT   empty launches; prints the nanoseconds of processor time of each
///     lanewise_run_app group            a local size that is too large
///     lanewise_run_app limits           prints the device's name, largest work-group, memory and largest buffer
///     lanewise_run_app binary FILE      builds the program, or takes its binary where one was kept for this version of
///                                       the driver, and keeps it otherwise; prints that version, and which it was
///     lanewise_run_app load FILE        takes the binary of the plain version
///     lanewise_run_app child            forks a child that uses the driver
///     lanewise_run_app crash            a kernel writes to an address that does not exist, after a handler is installed
///
/// Exit code: 0; 1 after an error; 7 from the handler of `crash`.
#include <CL/cl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

void check(cl_int code, const char* what) {
  if (code == CL_SUCCESS) return;
  std::fprintf(stderr, "%s: %d\n", what, code);
  std::exit(1);
}

constexpr const char* kSource = R"(
kernel void saxpy(global float *y, global const float *x, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
kernel void strided(global float *y, global const float *x, int step) {
  size_t i = get_global_id(0);
  y[i] = x[i * step];
}
kernel void burn(global float *x, int rounds) {
  float value = x[get_global_id(0)];
  for (int i = 0; i < rounds; ++i) value = value * 1.0001f + 0.5f / (value + 1.0f);
  x[get_global_id(0)] = value;
}
kernel void nothing(global float *x) {}
kernel void wild(ulong address, int value) { *(volatile global int *)(address + get_global_id(0) * 4) = value; }
)";

struct Session {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_program program = nullptr;

  Session() {
    cl_platform_id platform = nullptr;
    check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
    cl_int code = 0;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    check(code, "clCreateContext");
  }
  void build() {
    cl_int code = 0;
    const char* text = kSource;
    program = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  }
  [[nodiscard]] std::string version() const {
    std::array<char, 256> text{};
    check(clGetDeviceInfo(device, CL_DRIVER_VERSION, text.size() - 1, text.data(), nullptr), "clGetDeviceInfo");
    return text.data();
  }
  void keep(const std::string& path) const {
    std::size_t size = 0;
    check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr), "clGetProgramInfo");
    std::string bytes(size, '\0');
    auto* data = reinterpret_cast<unsigned char*>(bytes.data());
    check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof data, &data, nullptr), "clGetProgramInfo");
    std::ofstream(path, std::ios::binary) << bytes;
  }
  /// Takes the program from a binary; gives false where the file is missing.
  bool take(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (bytes.empty()) return false;
    cl_int code = 0;
    const std::size_t size = bytes.size();
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    program = clCreateProgramWithBinary(context, 1, &device, &size, &data, nullptr, &code);
    check(code, "clCreateProgramWithBinary");
    check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
    return true;
  }
  [[nodiscard]] cl_command_queue queue(cl_command_queue_properties properties) const {
    cl_int code = 0;
    cl_command_queue made = clCreateCommandQueue(context, device, properties, &code);
    check(code, "clCreateCommandQueue");
    return made;
  }
  [[nodiscard]] cl_mem buffer(std::size_t bytes) const {
    cl_int code = 0;
    cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
    check(code, "clCreateBuffer");
    return made;
  }
  [[nodiscard]] cl_kernel kernel(const char* name) const {
    cl_int code = 0;
    cl_kernel made = clCreateKernel(program, name, &code);
    check(code, "clCreateKernel");
    return made;
  }
};

template <class... Values>
cl_kernel with(cl_kernel kernel, const Values&... values) {
  cl_uint index = 0;
  (check(clSetKernelArg(kernel, index++, sizeof values, &values), "clSetKernelArg"), ...);
  return kernel;
}

cl_event launch(cl_command_queue queue, cl_kernel kernel, std::size_t items, const std::vector<cl_event>& waits = {}) {
  cl_event event = nullptr;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, static_cast<cl_uint>(waits.size()),
                               waits.empty() ? nullptr : waits.data(), &event),
        "clEnqueueNDRangeKernel");
  return event;
}

constexpr std::size_t kItems = 1 << 16;

void run_mixed(const Session& session) {
  cl_command_queue in_order = session.queue(0);
  cl_command_queue any_order = session.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const std::vector<float> ones(kItems, 1.0F);
  cl_mem x = session.buffer(4 * kItems * sizeof(float));
  cl_mem y = session.buffer(kItems * sizeof(float));
  const float zero = 0;
  check(clEnqueueFillBuffer(in_order, x, &zero, sizeof zero, 0, 4 * kItems * sizeof zero, 0, nullptr, nullptr), "fill");
  check(clEnqueueWriteBuffer(in_order, y, CL_FALSE, 0, kItems * sizeof(float), ones.data(), 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
  check(clFinish(in_order), "clFinish");
  const float a = 2;
  const cl_int step = 4;
  const cl_event first = launch(any_order, with(session.kernel("saxpy"), y, x, a), kItems);
  const cl_event second = launch(any_order, with(session.kernel("strided"), y, x, step), kItems, {first});
  const cl_event third = launch(in_order, with(session.kernel("saxpy"), y, x, a), kItems, {first, second});
  check(clWaitForEvents(1, &third), "clWaitForEvents");
  std::vector<float> got(kItems);
  check(clEnqueueReadBuffer(in_order, y, CL_TRUE, 0, kItems * sizeof(float), got.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  std::printf("%g\n", static_cast<double>(got[kItems - 1]));
}

void run_hot(const Session& session) {
  cl_command_queue queue = session.queue(0);
  const cl_int rounds = 200;
  cl_kernel kernel = with(session.kernel("burn"), session.buffer(kItems * sizeof(float)), rounds);
  for (int i = 0; i < 3; ++i) clReleaseEvent(launch(queue, kernel, kItems));
  check(clFinish(queue), "clFinish");
}

double processor_ns() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto ns = [](const timeval& time) {
    return 1e9 * static_cast<double>(time.tv_sec) + 1e3 * static_cast<double>(time.tv_usec);
  };
  return ns(usage.ru_utime) + ns(usage.ru_stime);
}

void run_launches(const Session& session, int count) {
  cl_command_queue queue = session.queue(0);
  cl_kernel kernel = with(session.kernel("nothing"), session.buffer(64));
  constexpr std::size_t kFew = 64;
  double begin = 0;
  for (int i = -std::min(count, 1000); i < count; ++i) {
    if (i == 0) begin = processor_ns();
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kFew, &kFew, 0, nullptr, nullptr), "enqueue");
    if (i % 10 == 0) check(clFinish(queue), "clFinish");
  }
  check(clFinish(queue), "clFinish");
  std::printf("%.1f\n", (processor_ns() - begin) / count);
}

void run_group(const Session& session) {
  const std::size_t items = 1 << 20;
  cl_kernel kernel = with(session.kernel("nothing"), session.buffer(64));
  const cl_int code = clEnqueueNDRangeKernel(session.queue(0), kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr);
  std::printf("%d\n", code);
}

void run_limits(const Session& session) {
  char name[256] = {};
  std::size_t group = 0;
  cl_ulong memory = 0;
  cl_ulong largest = 0;
  clGetDeviceInfo(session.device, CL_DEVICE_NAME, sizeof name - 1, name, nullptr);
  clGetDeviceInfo(session.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group, nullptr);
  clGetDeviceInfo(session.device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, nullptr);
  clGetDeviceInfo(session.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, nullptr);
  std::printf("%s, %zu, %llu, %llu\n", name, group, static_cast<unsigned long long>(memory),
              static_cast<unsigned long long>(largest));
  // One work-item more than a group may have, and one byte more than a buffer.
  const std::size_t items = 2 * group;
  cl_int code = 0;
  cl_mem refused = clCreateBuffer(session.context, CL_MEM_READ_WRITE, largest + 1, nullptr, &code);
  cl_kernel kernel = with(session.kernel("nothing"), session.buffer(64));
  std::printf("%d %d\n",
              clEnqueueNDRangeKernel(session.queue(0), kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr),
              refused == nullptr ? code : CL_SUCCESS);
}

void run_crash(const Session& session) {
  cl_command_queue queue = session.queue(0);
  const cl_ulong address = 0x10;
  const cl_int value = 42;
  launch(queue, with(session.kernel("wild"), address, value), 8);
  check(clFinish(queue), "clFinish");
}

void run_binary(Session& session, const std::string& path) {
  const std::string kept = path + "-" + session.version();
  const bool taken = session.take(kept);
  if (!taken) {
    session.build();
    session.keep(kept);
  }
  std::printf("version %s\nfrom the %s\n", session.version().c_str(), taken ? "binary" : "source");
  run_mixed(session);
}

void run_load(Session& session, const std::string& path) {
  const std::string version = session.version();
  if (!session.take(path + "-" + version.substr(0, version.find('+')))) std::exit(1);
  run_mixed(session);
}

int run_child() {
  Session session;
  session.build();
  run_launches(session, 1);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    Session again;
    again.build();
    run_launches(again, 1);
    std::exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "crash") signal(SIGSEGV, [](int) { _exit(7); });
  if (what == "child") return run_child();
  Session session;
  if (what == "binary" || what == "load") {
    if (what == "binary") run_binary(session, argv[2]);
    if (what == "load") run_load(session, argv[2]);
    return 0;
  }
  session.build();
  if (what == "mixed") run_mixed(session);
  if (what == "hot") run_hot(session);
  if (what == "launches") run_launches(session, argc > 2 ? std::atoi(argv[2]) : 1);
  if (what == "group") run_group(session);
  if (what == "limits") run_limits(session);
  if (what == "crash") run_crash(session);
  return 0;
}

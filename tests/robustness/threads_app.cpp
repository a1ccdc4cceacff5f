// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An application with threads, stacks and limits of its own. Each scenario is a process; exit code 0 means that the
// driver behaved correctly. threads_test.cpp explains each of them.
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <thread>
#include <utility>

#include "tests/robustness/driver.h"

namespace lanewise::robustness {
namespace {

long thread_count() {
  long threads = 0;
  DIR* tasks = opendir("/proc/self/task");
  while (const dirent* entry = readdir(tasks)) threads += entry->d_name[0] != '.' ? 1 : 0;
  closedir(tasks);
  return threads;
}

/// The resident memory of the process, in KiB.
long resident() {
  std::ifstream in("/proc/self/statm");
  long size = 0;
  long pages = 0;
  in >> size >> pages;
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

template <class Done>
bool within_ten_seconds(Done&& done) {
  for (int i = 0; i < 10'000; ++i) {
    if (done()) return true;
    usleep(1000);
  }
  return done();
}

cl_kernel kernel_of(Session& s, const std::string& source, const char* name) {
  cl_int code = 0;
  cl_program program = s.build(source, code);
  expect(code == CL_SUCCESS, "clBuildProgram", code);
  cl_kernel kernel = s.cl.CreateKernel(program, name, &code);
  expect(code == CL_SUCCESS, "clCreateKernel", code);
  expect(s.cl.ReleaseProgram(program) == CL_SUCCESS, "clReleaseProgram");
  return kernel;
}

cl_mem buffer_of(Session& s, std::size_t bytes) {
  cl_int code = 0;
  cl_mem buffer = s.cl.CreateBuffer(s.context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
  expect(code == CL_SUCCESS, "clCreateBuffer", code);
  return buffer;
}

// ---- No thread can be made ----------------------------------------------------------------------------------------

void allow_threads(bool allow) {
  static rlimit before{};
  if (!allow) {
    expect(getrlimit(RLIMIT_NPROC, &before) == 0, "getrlimit");
    // The limit does not hold for root.
    if (geteuid() == 0) expect(setresuid(65534, 65534, 0) == 0, "setresuid");
  }
  rlimit limit = before;
  if (!allow) limit.rlim_cur = 0;
  if (allow && getuid() == 65534) expect(setresuid(0, 0, 0) == 0, "setresuid back");
  expect(setrlimit(RLIMIT_NPROC, &limit) == 0, "setrlimit");
}

struct Ends {
  std::atomic<int> count{0};
  std::atomic<int> out_of_order{0};
};
struct End {
  Ends* ends;
  int number;
};

void CL_CALLBACK ended(cl_event, cl_int, void* data) {
  const auto* end = static_cast<End*>(data);
  if (end->ends->count.fetch_add(1) != end->number) ++end->ends->out_of_order;
}

int no_threads(Session& s) {
  cl_kernel kernel = kernel_of(s, "__kernel void f(__global int* a) { a[get_global_id(0)] += 1; }", "f");
  cl_mem buffer = buffer_of(s, 4096);
  expect(s.cl.SetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS, "clSetKernelArg");
  allow_threads(false);
  {
    pthread_t thread{};
    const int error = pthread_create(&thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
    expect(error != 0, "pthread_create fails");
  }
  const long threads = thread_count();  // may include threads of builds
  const std::size_t items = 1024;
  constexpr int kLaunches = 50;
  static Ends ends;
  static End data[2 * kLaunches + 1];
  const auto launch = [&](int number, cl_event after) {
    cl_event event = nullptr;
    cl_int code = s.cl.EnqueueNDRangeKernel(s.queue, kernel, 1, nullptr, &items, nullptr, after != nullptr ? 1 : 0,
                                            after != nullptr ? &after : nullptr, &event);
    expect(code == CL_SUCCESS, "clEnqueueNDRangeKernel", code);
    data[number] = {&ends, number};
    code = s.cl.SetEventCallback(event, CL_COMPLETE, ended, &data[number]);
    expect(code == CL_SUCCESS, "clSetEventCallback", code);
    s.cl.ReleaseEvent(event);
  };
  // Nothing waits: the flush alone must run the kernels, and the callbacks must be called.
  for (int i = 0; i < kLaunches; ++i) launch(i, nullptr);
  expect(s.cl.Flush(s.queue) == CL_SUCCESS, "clFlush");
  expect(within_ten_seconds([] { return ends.count == kLaunches; }), "launches that ended after clFlush", ends.count);
  // A command that becomes ready later.
  cl_int code = 0;
  cl_event gate = s.cl.CreateUserEvent(s.context, &code);
  for (int i = 0; i < kLaunches; ++i) launch(kLaunches + i, i == 0 ? gate : nullptr);
  expect(s.cl.Flush(s.queue) == CL_SUCCESS, "clFlush");
  expect(ends.count == kLaunches, "nothing runs before the user event");
  expect(s.cl.SetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS, "clSetUserEventStatus");
  expect(within_ten_seconds([] { return ends.count == 2 * kLaunches; }), "launches behind a user event", ends.count);
  expect(ends.out_of_order == 0, "callbacks in order", ends.out_of_order);
  expect(thread_count() <= threads, "threads", thread_count());
  // As soon as threads are allowed again, they are made.
  allow_threads(true);
  launch(2 * kLaunches, nullptr);
  expect(s.cl.Flush(s.queue) == CL_SUCCESS, "clFlush");
  expect(within_ten_seconds([] { return ends.count == 2 * kLaunches + 1; }), "a launch afterwards", ends.count);
  expect(thread_count() > threads, "threads afterwards", thread_count());
  return 0;
}

// ---- Signals ------------------------------------------------------------------------------------------------------

/// Threads besides the calling one and `own` that do not block `signal`; all of them are counted in `seen`.
int threads_that_take(int signal, pid_t own, std::atomic<int>& seen) {
  int taking = 0;
  DIR* tasks = opendir("/proc/self/task");
  while (const dirent* entry = readdir(tasks)) {
    const int task = std::atoi(entry->d_name);
    if (task == 0 || task == own || task == gettid()) continue;
    std::ifstream status("/proc/self/task/" + std::to_string(task) + "/status");
    std::string word;
    while (status >> word && word != "Threads:") {
    }
    int threads = 0;
    // None: it is ending, and the system shows no signals of it any more.
    if (!(status >> threads) || threads == 0) continue;
    while (status >> word && word != "SigBlk:") {
    }
    if (!(status >> word)) continue;  // it has ended
    ++seen;
    if ((std::stoull(word, nullptr, 16) >> static_cast<unsigned>(signal - 1) & 1U) == 0) ++taking;
  }
  closedir(tasks);
  return taking;
}

/// While the driver compiles, runs a kernel and has a callback to call, its threads take no signals.
int signals(Session& s) {
  std::atomic<bool> done{false};
  std::atomic<int> seen{0};
  int taking = 0;
  std::thread watch([&, own = gettid()] {
    while (!done) taking += threads_that_take(SIGUSR1, own, seen);
  });
  s.compute(1);
  expect(seen > 0, "threads of the driver");
  static Ends ends;
  static End end{&ends, 0};
  cl_int code = 0;
  cl_event event = s.cl.CreateUserEvent(s.context, &code);
  expect(s.cl.SetEventCallback(event, CL_COMPLETE, ended, &end) == CL_SUCCESS, "clSetEventCallback");
  expect(s.cl.SetUserEventStatus(event, CL_COMPLETE) == CL_SUCCESS, "clSetUserEventStatus");
  expect(within_ten_seconds([] { return ends.count == 1; }), "the callback");
  done = true;
  watch.join();
  expect(taking == 0, "threads of the driver that take signals", taking);
  return 0;
}

// ---- Small stacks -------------------------------------------------------------------------------------------------

/// Launches that need much stack, waited for on the calling thread; so small that no other thread is woken for them.
void launch_and_finish(Session& s, cl_kernel kernel) {
  const std::size_t items = 4;
  for (int i = 0; i < 200; ++i) {
    expect(s.cl.EnqueueNDRangeKernel(s.queue, kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr) == CL_SUCCESS,
           "clEnqueueNDRangeKernel");
    expect(s.cl.Finish(s.queue) == CL_SUCCESS, "clFinish");
  }
}

/// Larger than a frame, so that no frame reaches beyond it.
constexpr std::size_t kGuard = std::size_t{1} << 20U;

/// More vectors than there are registers: tens of KiB are spilled.
cl_kernel kernel_with_large_frame(Session& s) {
  constexpr int kVectors = 900;
  const auto name = [](int i) { return "x" + std::to_string(i % kVectors); };
  std::string source = "__kernel void f(__global float16* a, int n) { int i = get_global_id(0);\n";
  for (int k = 0; k < kVectors; ++k) source += "float16 " + name(k) + " = a[i + " + std::to_string(k) + "];\n";
  source += "for (int r = 0; r < n; ++r) {\n";
  for (int k = 0; k < kVectors; ++k)
    source += name(k) + " = " + name(k) + " * " + name(k + 7) + " + " + name(5 * k + 1) + ";\n";
  source += "}\nfloat16 sum = 0;\n";
  for (int k = 0; k < kVectors; ++k) source += "sum += " + name(k) + ";\n";
  source += "a[i] = sum; }\n";
  cl_kernel kernel = kernel_of(s, source, "f");
  cl_mem buffer = buffer_of(s, 65536);
  const int n = 1;
  expect(s.cl.SetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS, "clSetKernelArg");
  expect(s.cl.SetKernelArg(kernel, 1, sizeof n, &n) == CL_SUCCESS, "clSetKernelArg");
  return kernel;
}

int small_stack(Session& s) {
  cl_kernel kernel = kernel_with_large_frame(s);
  struct Job {
    Session& s;
    cl_kernel kernel;
  } job{s, kernel};
  for (const std::size_t bytes : {std::size_t{40} * 1024, static_cast<std::size_t>(PTHREAD_STACK_MIN) + 8192}) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    expect(pthread_attr_setstacksize(&attributes, bytes) == 0, "pthread_attr_setstacksize");
    expect(pthread_attr_setguardsize(&attributes, kGuard) == 0, "pthread_attr_setguardsize");
    pthread_t thread{};
    const auto body = [](void* data) -> void* {
      auto& work = *static_cast<Job*>(data);
      launch_and_finish(work.s, work.kernel);
      return nullptr;
    };
    expect(pthread_create(&thread, &attributes, body, &job) == 0, "pthread_create");
    pthread_join(thread, nullptr);
  }
  return 0;
}

std::function<void()>& coroutine_body() {
  static std::function<void()> body;
  return body;
}

int coroutine(Session& s) {
  cl_kernel kernel = kernel_with_large_frame(s);
  constexpr std::size_t kStack = std::size_t{40} * 1024;
  auto* memory =
      static_cast<char*>(mmap(nullptr, kStack + kGuard, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  expect(memory != MAP_FAILED, "mmap");
  expect(mprotect(memory, kGuard, PROT_NONE) == 0, "mprotect");
  static ucontext_t here;
  static ucontext_t there;
  bool ran = false;
  coroutine_body() = [&] {
    launch_and_finish(s, kernel);
    ran = true;
  };
  expect(getcontext(&there) == 0, "getcontext");
  there.uc_stack.ss_sp = memory + kGuard;
  there.uc_stack.ss_size = kStack;
  there.uc_link = &here;
  makecontext(&there, [] { coroutine_body()(); }, 0);
  expect(swapcontext(&here, &there) == 0, "swapcontext");
  expect(ran, "the coroutine has run");
  return 0;
}

// ---- Scratch memory -----------------------------------------------------------------------------------------------

/// Values that live across a barrier need 64 KiB for each of 256 work-items.
const char* const kScratchSource =
    "__kernel void f(__global int* a, int n) {"
    "  int t[16384]; int i = get_local_id(0);"
    "  for (int k = 0; k < 16384; ++k) t[k] = k + i * n;"
    "  barrier(CLK_GLOBAL_MEM_FENCE);"
    "  int sum = 0;"
    "  for (int k = 0; k < 16384; ++k) sum += t[(k * n + i) & 16383];"
    "  a[get_global_id(0)] = sum; }";

int scratch(Session& s) {
  const auto use = [&s] {
    cl_kernel kernel = kernel_of(s, kScratchSource, "f");
    cl_mem buffer = buffer_of(s, 65536);
    const int n = 3;
    expect(s.cl.SetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS, "clSetKernelArg");
    expect(s.cl.SetKernelArg(kernel, 1, sizeof n, &n) == CL_SUCCESS, "clSetKernelArg");
    const std::size_t items = 4096;
    const std::size_t local = 256;
    expect(s.cl.EnqueueNDRangeKernel(s.queue, kernel, 1, nullptr, &items, &local, 0, nullptr, nullptr) == CL_SUCCESS,
           "clEnqueueNDRangeKernel");
    expect(s.cl.Finish(s.queue) == CL_SUCCESS, "clFinish");
    const long used = resident();
    expect(s.cl.ReleaseMemObject(buffer) == CL_SUCCESS, "clReleaseMemObject");
    expect(s.cl.ReleaseKernel(kernel) == CL_SUCCESS, "clReleaseKernel");
    return used;
  };
  s.compute(1);
  const long before = resident();
  const long with = use();
  expect(with - before > 12'000, "KiB of scratch in use", with - before);
  const auto given_back = [&] { return resident() - before < 6'000; };
  expect(within_ten_seconds(given_back), "KiB that stay", resident() - before);
  // Again, so that memory that has been given back is allocated again.
  use();
  expect(within_ten_seconds(given_back), "KiB that stay the second time", resident() - before);
  return 0;
}

// ---- Processors ----------------------------------------------------------------------------------------------------

/// The processors of each thread of the driver that runs kernels.
std::vector<cpu_set_t> masks_of_workers() {
  std::vector<cpu_set_t> masks;
  DIR* tasks = opendir("/proc/self/task");
  while (const dirent* entry = readdir(tasks)) {
    std::string name;
    std::ifstream("/proc/self/task/" + std::string(entry->d_name) + "/comm") >> name;
    if (name != "lanewise") continue;
    expect(sched_getaffinity(std::atoi(entry->d_name), sizeof(cpu_set_t), &masks.emplace_back()) == 0,
           "sched_getaffinity");
  }
  closedir(tasks);
  return masks;
}

/// Threads of the driver that run kernels: how many there are, and of those, how many run on other processors than `own`.
std::pair<int, int> workers_and_those_elsewhere(const cpu_set_t& own) {
  std::pair<int, int> found{0, 0};
  for (const cpu_set_t& mask : masks_of_workers()) {
    ++found.first;
    if (!CPU_EQUAL(&mask, &own)) ++found.second;
  }
  return found;
}

/// The application's thread is bound to one processor after the device has been listed; the driver's are not.
int bound(Session& s) {
  cpu_set_t own;
  expect(sched_getaffinity(0, sizeof own, &own) == 0, "sched_getaffinity");
  cl_kernel kernel = kernel_of(s, "__kernel void f(__global int* a) { a[get_global_id(0)] += 1; }", "f");
  cl_mem buffer = buffer_of(s, 65536);
  expect(s.cl.SetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS, "clSetKernelArg");
  cpu_set_t one;
  CPU_ZERO(&one);
  int first = 0;
  while (!CPU_ISSET(first, &own)) ++first;
  CPU_SET(first, &one);
  expect(sched_setaffinity(0, sizeof one, &one) == 0, "sched_setaffinity");
  const std::size_t items = 16384;
  static Ends ends;
  static End end{&ends, 0};
  cl_event event = nullptr;
  expect(s.cl.EnqueueNDRangeKernel(s.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, &event) == CL_SUCCESS,
         "clEnqueueNDRangeKernel");
  expect(s.cl.SetEventCallback(event, CL_COMPLETE, ended, &end) == CL_SUCCESS, "clSetEventCallback");
  expect(s.cl.Flush(s.queue) == CL_SUCCESS, "clFlush");
  expect(within_ten_seconds([] { return ends.count == 1; }), "the launch ends");
  const auto [workers, elsewhere] = workers_and_those_elsewhere(own);
  expect(workers > 0, "threads that run kernels");
  expect(elsewhere == 0, "threads that run on other processors than the device", elsewhere);
  cpu_set_t now;
  expect(sched_getaffinity(0, sizeof now, &now) == 0 && CPU_EQUAL(&now, &one), "the application's own thread");
  return 0;
}

/// LANEWISE_PIN: each thread that runs kernels stays on one processor, and the application's thread where it was.
/// Threads that run kernels one after the other may have the same.
int pinned(Session& s) {
  cl_kernel kernel = kernel_of(s,
                               "__kernel void f(__global int* a) { int x = 1; for (int i = 0; i < 100000; ++i)"
                               " x = x * 5 + i; a[get_global_id(0)] += x; }",
                               "f");
  cl_mem buffer = buffer_of(s, 65536);
  expect(s.cl.SetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS, "clSetKernelArg");
  cpu_set_t own;
  expect(sched_getaffinity(0, sizeof own, &own) == 0, "sched_getaffinity");
  const std::size_t items = 16384;
  expect(s.cl.EnqueueNDRangeKernel(s.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr) == CL_SUCCESS,
         "clEnqueueNDRangeKernel");
  expect(s.cl.Finish(s.queue) == CL_SUCCESS, "clFinish");
  const std::vector<cpu_set_t> masks = masks_of_workers();
  expect(!masks.empty(), "threads that run kernels");
  for (cpu_set_t mask : masks) {
    expect(CPU_COUNT(&mask) == 1, "one processor", CPU_COUNT(&mask));
    CPU_OR(&mask, &mask, &own);
    expect(CPU_EQUAL(&mask, &own), "a processor of the device");
  }
  cpu_set_t now;
  expect(sched_getaffinity(0, sizeof now, &now) == 0 && CPU_EQUAL(&now, &own), "the application's own thread");
  return 0;
}

/// Prints the number of compute units, and how many threads run kernels after many launches that nobody waits for.
int count(Session& s) {
  cl_uint units = 0;
  expect(s.cl.GetDeviceInfo(s.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr) == CL_SUCCESS,
         "clGetDeviceInfo");
  cl_kernel kernel = kernel_of(s,
                               "__kernel void f(__global int* a) { int x = 1; for (int i = 0; i < 1000; ++i) x = x * 5 "
                               "+ i; a[get_global_id(0)] += x; }",
                               "f");
  cl_mem buffer = buffer_of(s, std::size_t{1} << 20U);
  expect(s.cl.SetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS, "clSetKernelArg");
  cpu_set_t any;
  CPU_ZERO(&any);
  const std::size_t items = std::size_t{1} << 18U;
  for (int i = 0; i < 100; ++i) {
    expect(s.cl.EnqueueNDRangeKernel(s.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr) == CL_SUCCESS,
           "clEnqueueNDRangeKernel");
    expect(s.cl.Flush(s.queue) == CL_SUCCESS, "clFlush");
  }
  within_ten_seconds([&] { return workers_and_those_elsewhere(any).first >= static_cast<int>(units); });
  expect(s.cl.Finish(s.queue) == CL_SUCCESS, "clFinish");
  std::printf("%u %d", units, workers_and_those_elsewhere(any).first);
  std::fflush(stdout);
  return 0;
}

int run(const std::string& name) {
  using Scenario = int (*)(Session&);
  static const std::map<std::string, Scenario> scenarios = {{"no_threads", no_threads}, {"small_stack", small_stack},
                                                            {"coroutine", coroutine},   {"scratch", scratch},
                                                            {"bound", bound},           {"count", count},
                                                            {"pinned", pinned},         {"signals", signals}};
  const auto found = scenarios.find(name);
  expect(found != scenarios.end(), "such a scenario");
  auto& driver = *new Driver;
  auto& session = *new Session(driver);
  return found->second(session);
}

}  // namespace
}  // namespace lanewise::robustness

int main(int count, char** values) {
  return count < 2 ? 2 : lanewise::robustness::run(values[1]);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An application that does what applications do to a driver. Each scenario is a process of its own; exit code 0 means
// that the driver behaved. robustness_test.cpp says what each of them is about.
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>

#include "tests/robustness/forked.h"
#include "tests/robustness/pressure.h"
#include "tests/robustness/processes.h"
#include "tests/robustness/scenarios.h"

namespace lanewise::robustness {

void Session::start_long_kernel() {
  cl_int code = 0;
  cl_program program = build(
      "__kernel void spin(volatile __global int* a) {"
      "  a[0] = 1;"
      "  for (long i = 0; i < 100000000000L; ++i) if (a[1]) break;"
      "}",
      code);
  expect(code == CL_SUCCESS, "clBuildProgram", code);
  cl_kernel kernel = cl.CreateKernel(program, "spin", &code);
  static volatile int words[2];
  cl_mem buffer = cl.CreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof words, const_cast<int*>(&words[0]), &code);
  expect(code == CL_SUCCESS, "clCreateBuffer", code);
  expect(cl.SetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS, "clSetKernelArg");
  const std::size_t items = 64;
  const std::size_t local = 1;
  code = cl.EnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &local, 0, nullptr, nullptr);
  expect(code == CL_SUCCESS, "clEnqueueNDRangeKernel", code);
  cl.Flush(queue);
  while (words[0] == 0) usleep(1000);
}

namespace {

/// A program that takes a compiler much longer than a signal takes to arrive: plain arithmetic, a lot of it.
std::string large_source() {
  std::string text;
  for (int i = 0; i < 16; ++i) {
    text += "__kernel void k" + std::to_string(i) + "(__global float* a, int n) { float s = a[0];\n";
    for (int j = 0; j < 20; ++j) {
      const std::string value = std::to_string(100 * i + j) + ".0f";
      text +=
          "for (int i = 0; i < n; ++i) { if (a[i] > " + value + ") s = s * a[i] + " + value + "; else a[i] -= s; }\n";
    }
    text += "a[get_global_id(0)] = s; }\n";
  }
  return text;
}

int compute(Session& session, const Arguments&) {
  session.compute(1);
  session.compute(2);
  return 0;
}

int list_only(Session&, const Arguments&) {
  return 0;
}

/// Prints the code of a build of a good program.
int build_code(Session& session, const Arguments&) {
  std::printf("%d", session.build_code("__kernel void f() {}"));
  return 0;
}

int kill_helper_once(Session& session, const Arguments&) {
  session.compute(1);
  const auto before = helpers();
  expect(before.size() == 1, "one helper", static_cast<long>(before.size()));
  kill(before[0], SIGSTOP);  // so that it can't have answered before it is killed
  cl_int code = 1;
  cl_program program = nullptr;
  std::thread builder([&] { program = session.build(large_source(), code); });
  usleep(100'000);
  kill(before[0], SIGKILL);
  builder.join();
  // After a helper's death the build is tried once more.
  expect(code == CL_SUCCESS, session.log(program).c_str(), code);
  session.compute(2);
  return 0;
}

/// Kills every helper a moment after it has started. Such a build fails with a log, or, where the helper died before it
/// could say that it runs, is done in-process; either way the application goes on.
int kill_helper_always(Session& session, const Arguments&) {
  std::atomic<bool> stop{false};
  std::thread killer([&] {
    std::map<pid_t, int> seen;
    while (!stop) {
      for (const pid_t pid : helpers())
        if (++seen[pid] > 20) kill(pid, SIGKILL);
      usleep(5000);
    }
  });
  cl_int code = 0;
  cl_program program = session.build(large_source(), code);
  stop = true;
  killer.join();
  expect(code == CL_BUILD_PROGRAM_FAILURE || code == CL_SUCCESS, "the build ends", code);
  expect(code == CL_SUCCESS || session.log(program).size() > 10, "a log says why");
  session.cl.ReleaseProgram(program);
  session.compute(1);  // when helpers are no longer killed, the next build works
  return 0;
}

/// A launch of a kernel of a large program that has just been built. Its code is not made yet.
cl_event launch_of(Session& session, cl_program program) {
  cl_int code = 1;
  cl_kernel kernel = session.cl.CreateKernel(program, "k3", &code);
  expect(code == CL_SUCCESS, "clCreateKernel", code);
  const std::size_t items = 64;
  const cl_int count = 1;
  cl_mem buffer = session.cl.CreateBuffer(session.context, CL_MEM_READ_WRITE, items * sizeof(float), nullptr, &code);
  expect(code == CL_SUCCESS, "clCreateBuffer", code);
  expect(session.cl.SetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS, "clSetKernelArg");
  expect(session.cl.SetKernelArg(kernel, 1, sizeof count, &count) == CL_SUCCESS, "clSetKernelArg");
  cl_event event = nullptr;
  code = session.cl.EnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, &event);
  expect(code == CL_SUCCESS, "clEnqueueNDRangeKernel", code);
  session.cl.ReleaseMemObject(buffer);
  session.cl.ReleaseKernel(kernel);
  session.cl.ReleaseProgram(program);
  return event;
}

/// A launch that waits for its code, because the helper is stopped.
struct WaitingLaunch {
  pid_t helper;
  cl_event event;
};

WaitingLaunch launch_without_helper(Session& session) {
  cl_int code = 1;
  cl_program program = session.build(large_source(), code);
  expect(code == CL_SUCCESS, "clBuildProgram", code);
  const auto before = helpers();
  expect(before.size() == 1, "one helper", static_cast<long>(before.size()));
  kill(before[0], SIGSTOP);
  return {.helper = before[0], .event = launch_of(session, program)};
}

int kill_helper_of_launch(Session& session, const Arguments&) {
  const auto [helper, event] = launch_without_helper(session);
  usleep(100'000);
  kill(helper, SIGKILL);
  const cl_int code = session.cl.WaitForEvents(1, &event);
  expect(code == CL_SUCCESS, "the command runs, with code of another helper", code);
  session.cl.ReleaseEvent(event);
  session.compute(1);
  return 0;
}

/// Forks while a kernel waits for its code. The child has an error for what it inherits and begins anew.
int fork_before_launch(Session& session, const Arguments&) {
  const auto [helper, event] = launch_without_helper(session);
  const pid_t child = fork();
  if (child == 0) {
    alarm(5 * kHang);
    const cl_int code = session.cl.Finish(session.queue);
    expect(code == code_of_inherited(CL_INVALID_COMMAND_QUEUE), "clFinish", code);
    expect(session.cl.ReleaseEvent(event) == CL_SUCCESS, "a release in a forked child succeeds");
    if (!kThreadSanitizer) Session(session.cl).compute(1);
    _exit(0);
  }
  expect_child_ends(child);
  kill(helper, SIGCONT);
  const cl_int code = session.cl.WaitForEvents(1, &event);
  expect(code == CL_SUCCESS, "the parent's command runs", code);
  session.cl.ReleaseEvent(event);
  return 0;
}

int end_before_launch(Session& session, const Arguments&) {
  cl_int code = 1;
  cl_program program = session.build(large_source(), code);
  expect(code == CL_SUCCESS, "clBuildProgram", code);
  launch_of(session, program);
  return 0;
}

/// The compiler goes away between the builds and the launches: LANEWISE_COMPILER_DIR is removed, and every helper ends.
void remove_compiler() {
  std::filesystem::remove_all(std::getenv("LANEWISE_COMPILER_DIR"));
  for (const pid_t pid : helpers()) kill(pid, SIGKILL);
}

/// The application looks at no event of a launch whose code cannot be made.
int lose_compiler(Session& session, const Arguments&) {
  cl_int code = 1;
  cl_program program = session.build(large_source(), code);
  expect(code == CL_SUCCESS, "clBuildProgram", code);
  expect(session.cl.RetainProgram(program) == CL_SUCCESS, "clRetainProgram");
  remove_compiler();
  cl_event event = launch_of(session, program);
  code = session.cl.Finish(session.queue);
  expect(code == CL_OUT_OF_RESOURCES, "clFinish tells of the launch", code);
  code = session.cl.Finish(session.queue);
  expect(code == CL_SUCCESS, "clFinish tells it once", code);
  code = session.cl.WaitForEvents(1, &event);
  expect(code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "clWaitForEvents", code);
  session.cl.ReleaseEvent(event);
  session.cl.ReleaseEvent(launch_of(session, program));
  cl_mem buffer = session.cl.CreateBuffer(session.context, CL_MEM_READ_WRITE, sizeof code, nullptr, &code);
  expect(code == CL_SUCCESS, "clCreateBuffer", code);
  int value = 0;
  code = session.cl.EnqueueReadBuffer(session.queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr);
  expect(code == CL_OUT_OF_RESOURCES, "a blocking read tells of the launch", code);
  session.cl.ReleaseMemObject(buffer);
  return 0;
}

std::atomic<int> g_reports{0};

void CL_CALLBACK on_error(const char* message, const void* /*info*/, std::size_t /*bytes*/, void* /*data*/) {
  std::printf("%s", message);
  ++g_reports;
}

/// The context has a callback for errors.
int lose_compiler_told(Session& session, const Arguments&) {
  session.release();
  cl_int code = 1;
  session.context = session.cl.CreateContext(nullptr, 1, &session.device, on_error, nullptr, &code);
  expect(code == CL_SUCCESS, "clCreateContext", code);
  expect(session.make_queue() == CL_SUCCESS, "clCreateCommandQueue");
  cl_program program = session.build(large_source(), code);
  expect(code == CL_SUCCESS, "clBuildProgram", code);
  remove_compiler();
  session.cl.ReleaseEvent(launch_of(session, program));
  code = session.cl.Finish(session.queue);
  expect(code == CL_OUT_OF_RESOURCES, "clFinish", code);
  while (g_reports == 0) usleep(1000);
  return 0;
}

int kill_idle_helper(Session& session, const Arguments&) {
  for (int i = 0; i < 3; ++i) {
    session.compute(i);
    for (const pid_t pid : helpers()) kill(pid, SIGKILL);
    if (i == 1) usleep(50'000);
  }
  session.compute(7);
  return 0;
}

/// The helper must end with the application: the test looks for it by its tag.
int helper_ends_with_us(Session& session, const Arguments&) {
  session.compute(1);
  expect(helpers().size() == 1, "one helper");
  return 0;
}

int bad_kernels(Session& session, const Arguments&) {
  const char* bad[] = {
      "__kernel void f( {",
      "__kernel void f(__global int* a) { undeclared(a); }",
      "#error \"no\"\n",
      "#include \"not_there.h\"\n",
      "#include \"bad_kernels_self.h\"\n",
  };
  for (const char* source : bad) {
    cl_int code = 0;
    cl_program program = session.build(source, code);
    expect(code == CL_BUILD_PROGRAM_FAILURE, source, code);
    expect(session.log(program).size() > 10, "a log says why");
    session.cl.ReleaseProgram(program);
  }
  session.compute(1);
  return 0;
}

/// Sources that make Clang itself crash, with its own debugging pragmas.
int compiler_crash(Session& session, const Arguments&) {
  for (const char* how : {"crash", "llvm_fatal_error"}) {
    const std::string source = std::string("#pragma clang __debug ") + how + "\n__kernel void f() {}\n";
    cl_int code = 0;
    cl_program program = session.build(source, code);
    expect(code == CL_BUILD_PROGRAM_FAILURE, how, code);
    expect(session.log(program).size() > 10, "a log says why");
    session.cl.ReleaseProgram(program);
    session.compute(1);
  }
  return 0;
}

/// A crash in one build must not fail another that is in flight.
int crash_beside_good_builds(Session& session, const Arguments&) {
  std::atomic<bool> stop{false};
  std::thread crasher([&] {
    for (int i = 0; i < 5; ++i)
      session.build_code("#pragma clang __debug crash\n__kernel void f" + std::to_string(i) + "() {}\n");
    stop = true;
  });
  int built = 0;
  for (int i = 0; !stop || built == 0; ++i, ++built) session.compute(100 + i);
  crasher.join();
  return 0;
}

int reap_everything(Session& session, const Arguments& arguments) {
  if (!arguments.empty() && arguments[0] == "ignore") signal(SIGCHLD, SIG_IGN);
  std::atomic<bool> stop{false};
  std::atomic<int> reaped{0};
  std::thread reaper([&] {
    while (!stop) {
      if (waitpid(-1, nullptr, WNOHANG) > 0) ++reaped;
      usleep(200);
    }
  });
  for (int i = 0; i < 3; ++i) {
    session.compute(i);
    for (const pid_t pid : helpers()) kill(pid, SIGKILL);  // its end must not send us a signal either
  }
  session.compute(9);
  usleep(50'000);
  stop = true;
  reaper.join();
  expect(reaped == 0, "the application reaped a child that is not its own", reaped);
  return 0;
}

int end_in_flight(Session& session, const Arguments& arguments) {
  session.start_long_kernel();
  cl_int code = 0;
  cl_event never = session.cl.CreateUserEvent(session.context, &code);
  const std::size_t one = 1;
  cl_program program = session.build(R"(__kernel void g() { printf("never\n"); })", code);
  cl_kernel kernel = session.cl.CreateKernel(program, "g", &code);
  code = session.cl.EnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 1, &never, nullptr);
  expect(code == CL_SUCCESS, "clEnqueueNDRangeKernel", code);
  const std::string how = arguments.empty() ? "return" : arguments[0];
  if (how == "exit") std::exit(0);
  if (how == "_exit") _exit(0);
  if (how == "quick_exit") std::quick_exit(0);
  if (how == "thread_exit") {  // from a thread, while main waits forever
    std::thread([] { std::exit(0); }).detach();
    session.cl.Finish(session.queue);
  }
  return 0;
}

/// Ends while another thread is inside a build.
int end_in_build(Session& session, const Arguments&) {
  std::thread([&] { session.build_code(large_source()); }).detach();
  while (helpers().empty()) usleep(1000);
  usleep(20'000);
  std::exit(0);
}

int share_everything(Session& session, const Arguments&) {
  constexpr int kRounds = 200;
  constexpr std::size_t kItems = 256;
  Driver& cl = session.cl;
  cl_int code = 0;
  cl_program program = session.build("__kernel void add(__global int* a) { atomic_inc(a + get_global_id(0)); }", code);
  expect(code == CL_SUCCESS, "clBuildProgram", code);
  const std::vector<int> zeros(kItems, 0);
  cl_mem buffer = cl.CreateBuffer(session.context, CL_MEM_COPY_HOST_PTR, kItems * sizeof(int),
                                  const_cast<int*>(zeros.data()), &code);
  const auto body = [&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      cl_int status = 0;
      cl_kernel kernel = cl.CreateKernel(program, "add", &status);
      expect(status == CL_SUCCESS, "clCreateKernel", status);
      expect(cl.SetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS, "clSetKernelArg");
      cl_event event = nullptr;
      status = cl.EnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &kItems, nullptr, 0, nullptr, &event);
      expect(status == CL_SUCCESS, "clEnqueueNDRangeKernel", status);
      if (i % 3 == thread) expect(cl.WaitForEvents(1, &event) == CL_SUCCESS, "clWaitForEvents");
      if (i % 7 == thread) expect(cl.Finish(session.queue) == CL_SUCCESS, "clFinish");
      cl.ReleaseEvent(event);
      cl.ReleaseKernel(kernel);
      if (i % 50 == 0) session.build_code("__kernel void b" + std::to_string(thread * kRounds + i) + "() {}");
    }
  };
  std::thread first(body, 0);
  std::thread second(body, 1);
  first.join();
  second.join();
  std::vector<int> got(kItems);
  code = cl.EnqueueReadBuffer(session.queue, buffer, CL_TRUE, 0, kItems * sizeof(int), got.data(), 0, nullptr, nullptr);
  expect(code == CL_SUCCESS, "clEnqueueReadBuffer", code);
  for (const int value : got) expect(value == 2 * kRounds, "every launch counted once", value);
  return 0;
}

int print_descriptors(const Arguments&) {
  DIR* self = opendir("/proc/self/fd");
  const int own = dirfd(self);
  while (const dirent* entry = readdir(self)) {
    const auto number = static_cast<int>(strtol(entry->d_name, nullptr, 10));
    if (entry->d_name[0] != '.' && number > 2 && number != own) {
      char target[256] = {};
      (void)!readlink((std::string("/proc/self/fd/") + entry->d_name).c_str(), target, sizeof target - 1);
      std::printf("%d -> %s\n", number, target);
    }
  }
  closedir(self);
  return 0;
}

/// Starts a program after use: it must find no descriptor of the driver's.
int descriptors_across_exec(Session& session, const Arguments&) {
  session.compute(1);
  char self[4096] = {};
  expect(readlink("/proc/self/exe", self, sizeof self - 1) > 0, "readlink");
  char name[] = "print_descriptors";
  char* arguments[] = {self, name, nullptr};
  pid_t child = 0;
  std::fflush(stdout);
  expect(posix_spawn(&child, self, nullptr, nullptr, arguments, environ) == 0, "posix_spawn");
  int status = 0;
  expect(waitpid(child, &status, 0) == child && status == 0, "the child", status);
  return 0;
}

int out_of_descriptors(Session& session, const Arguments&) {
  session.compute(1);
  rlimit saved{};
  getrlimit(RLIMIT_NOFILE, &saved);
  rlimit low = saved;
  low.rlim_cur = 3;
  setrlimit(RLIMIT_NOFILE, &low);
  const cl_int code = session.build_code("__kernel void starved() {}");
  expect(code <= 0, "an answer, whatever it is", code);
  setrlimit(RLIMIT_NOFILE, &saved);
  session.compute(2);
  return 0;
}

// --- Scenarios that open the driver themselves -----------------------------------------------------------------------

int reopen(const Arguments&) {
  for (int i = 0; i < 5; ++i) {
    Driver driver;
    Session session(driver);
    session.compute(i);
    session.release();
    driver.close();
  }
  return 0;
}

/// Closes the library while objects are alive, as a plug-in host might, but does not use them afterwards.
int close_without_release(const Arguments&) {
  for (int i = 0; i < 3; ++i) {
    Driver driver;
    Session session(driver);
    session.compute(i);
    driver.close();
  }
  return 0;
}

int closed_streams(const Arguments&) {
  for (int stream = 0; stream < 3; ++stream) close(stream);
  Driver driver;
  Session session(driver);
  session.compute(1);
  for (const pid_t pid : helpers()) kill(pid, SIGKILL);
  session.compute(2);
  return 0;
}

/// Builds a source (second argument) with options (first) and prints what its kernel `f` writes; if it does not build,
/// prints the code and the log.
int print_value(Session& session, const Arguments& arguments) {
  Driver& cl = session.cl;
  const char* text = arguments.at(1).c_str();
  cl_int code = 0;
  cl_program program = cl.CreateProgramWithSource(session.context, 1, &text, nullptr, &code);
  expect(code == CL_SUCCESS, "clCreateProgramWithSource", code);
  code = cl.BuildProgram(program, 1, &session.device, arguments.at(0).c_str(), nullptr, nullptr);
  if (code != CL_SUCCESS) {
    std::printf("%d\n%s", code, session.log(program).c_str());
    return 0;
  }
  cl_kernel kernel = cl.CreateKernel(program, "f", &code);
  expect(code == CL_SUCCESS, "clCreateKernel", code);
  cl_mem buffer = cl.CreateBuffer(session.context, CL_MEM_READ_WRITE, sizeof(int), nullptr, &code);
  expect(code == CL_SUCCESS, "clCreateBuffer", code);
  expect(cl.SetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS, "clSetKernelArg");
  const std::size_t one = 1;
  code = cl.EnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr);
  expect(code == CL_SUCCESS, "clEnqueueNDRangeKernel", code);
  int value = 0;
  code = cl.EnqueueReadBuffer(session.queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr);
  expect(code == CL_SUCCESS, "clEnqueueReadBuffer", code);
  std::printf("%d", value);
  return 0;
}

/// Listing devices starts no thread, opens no compiler and keeps no descriptor.
int listing_is_light(const Arguments&) {
  Driver driver;
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  driver.GetPlatformIDs(1, &platform, nullptr);
  expect(driver.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS, "clGetDeviceIDs");
  long threads = 0;
  DIR* tasks = opendir("/proc/self/task");
  while (const dirent* entry = readdir(tasks)) threads += entry->d_name[0] != '.';
  closedir(tasks);
  expect(threads == 1, "threads", threads);
  const std::string maps = file_text("/proc/self/maps");
  for (const char* name : {"libLLVM", "libclang-cpp", "lanewise-compiler"})
    expect(maps.find(name) == std::string::npos, name);
  return print_descriptors({});
}

int run(const std::string& name, const Arguments& arguments) {
  using Alone = int (*)(const Arguments&);
  static const std::map<std::string, Alone> alone = {{"print_descriptors", print_descriptors},
                                                     {"reopen", reopen},
                                                     {"close_without_release", close_without_release},
                                                     {"closed_streams", closed_streams},
                                                     {"fork_before_use", fork_before_use},
                                                     {"privileged", privileged},
                                                     {"share_semaphores", share_semaphores},
                                                     {"fork_before_queues", fork_before_queues},
                                                     {"ranks", ranks},
                                                     {"lost_rank", lost_rank},
                                                     {"listing_is_light", listing_is_light}};
  using Scenario = int (*)(Session&, const Arguments&);
  static const std::map<std::string, Scenario> scenarios = {{"compute", compute},
                                                            {"list_only", list_only},
                                                            {"build_code", build_code},
                                                            {"kill_helper_once", kill_helper_once},
                                                            {"kill_helper_always", kill_helper_always},
                                                            {"kill_helper_of_launch", kill_helper_of_launch},
                                                            {"lose_compiler", lose_compiler},
                                                            {"lose_compiler_told", lose_compiler_told},
                                                            {"fork_before_launch", fork_before_launch},
                                                            {"end_before_launch", end_before_launch},
                                                            {"kill_idle_helper", kill_idle_helper},
                                                            {"helper_ends_with_us", helper_ends_with_us},
                                                            {"bad_kernels", bad_kernels},
                                                            {"compiler_crash", compiler_crash},
                                                            {"crash_beside_good_builds", crash_beside_good_builds},
                                                            {"reap_everything", reap_everything},
                                                            {"fork_after_use", fork_after_use},
                                                            {"fork_beside_busy_threads", fork_beside_busy_threads},
                                                            {"fork_in_callback", fork_in_callback},
                                                            {"fork_anew", fork_anew},
                                                            {"fork_inherited", fork_inherited},
                                                            {"fork_generations", fork_generations},
                                                            {"fork_beside_work", fork_beside_work},
                                                            {"fork_on_driver_threads", fork_on_driver_threads},
                                                            {"fork_for_little", fork_for_little},
                                                            {"fork_signals", fork_signals},
                                                            {"end_in_flight", end_in_flight},
                                                            {"end_in_build", end_in_build},
                                                            {"share_everything", share_everything},
                                                            {"descriptors_across_exec", descriptors_across_exec},
                                                            {"out_of_descriptors", out_of_descriptors},
                                                            {"cancel_builds", cancel_builds},
                                                            {"cancel_waits", cancel_waits},
                                                            {"file_size_limit", file_size_limit},
                                                            {"compiler_memory", compiler_memory},
                                                            {"few_descriptors", few_descriptors},
                                                            {"own_crash_handlers", own_crash_handlers},
                                                            {"print_value", print_value}};
  if (const auto found = alone.find(name); found != alone.end()) return found->second(arguments);
  const auto found = scenarios.find(name);
  expect(found != scenarios.end(), "such a scenario");
  // Neither is ever destroyed: in most scenarios the application releases nothing.
  auto& driver = *new Driver;
  auto& session = *new Session(driver);
  return found->second(session, arguments);
}

}  // namespace
}  // namespace lanewise::robustness

int main(int count, char** values) {
  if (count < 2) return 2;
  return lanewise::robustness::run(values[1], {values + 2, values + count});
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/robustness/pressure.h"

#include <dirent.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <thread>

#include "tests/robustness/processes.h"

namespace lanewise::robustness {

namespace {

constexpr int kNotAllowedHere = 77;

/// A program that keeps a compiler busy for some tenths of a second, and that no other call has built.
std::string long_source(int salt) {
  std::string text;
  for (int i = 0; i < 4; ++i) {
    text +=
        "__kernel void k" + std::to_string(i) + "(__global float* a, int n) { float s = " + std::to_string(salt) + ";";
    for (int j = 0; j < 20; ++j) {
      const std::string value = std::to_string(100 * i + j) + ".0f";
      text +=
          "for (int i = 0; i < n; ++i) { if (a[i] > " + value + ") s = s * a[i] + " + value + "; else a[i] -= s; }\n";
    }
    text += "a[get_global_id(0)] = s; }\n";
  }
  return text;
}

/// A thread that can be cancelled, which std::thread does not promise.
class Thread {
 public:
  explicit Thread(std::function<void()> body) : body_(std::move(body)) {
    expect(pthread_create(&thread_, nullptr, run, this) == 0, "pthread_create");
  }
  void cancel() { expect(pthread_cancel(thread_) == 0, "pthread_cancel"); }
  /// True if the thread ended by its cancellation.
  bool join() {
    void* result = nullptr;
    expect(pthread_join(thread_, &result) == 0, "pthread_join");
    return result == PTHREAD_CANCELED;
  }

 private:
  static void* run(void* self) {
    static_cast<Thread*>(self)->body_();
    pthread_testcancel();
    return nullptr;
  }
  std::function<void()> body_;
  pthread_t thread_{};
};

/// The environment of the process that runs the program `path`, or nothing if there is no such process.
bool environment_of_program(const std::string& path, std::string& environment) {
  DIR* proc = opendir("/proc");
  bool found = false;
  while (const dirent* entry = proc != nullptr ? readdir(proc) : nullptr) {
    const std::string base = std::string("/proc/") + entry->d_name;
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9' || !file_text(base + "/cmdline").starts_with(path)) continue;
    environment = file_text(base + "/environ");
    found = true;
  }
  if (proc != nullptr) closedir(proc);
  return found;
}

}  // namespace

int privileged(const Arguments& arguments) {
  if (getauxval(AT_SECURE) == 0) return kNotAllowedHere;  // mounted without set-user-ID
  expect(arguments.size() == 3, "three arguments");
  if (arguments[1] == "full") expect(setresuid(geteuid(), geteuid(), geteuid()) == 0, "setresuid");
  Driver driver;
  Session session(driver);
  session.compute(1);
  expect(file_text("/proc/self/maps").find("/caller/") == std::string::npos, "no file of the caller's is loaded");
  std::string environment;
  const bool helper = environment_of_program(arguments[2] + "/lanewise-compiler", environment);
  expect(helper == (arguments[0] == "helper"), "where the compiler runs", helper);
  expect(environment.empty(), "nothing of the caller's environment reaches the helper",
         static_cast<long>(environment.size()));
  return 0;
}

int cancel_builds(Session& session, const Arguments&) {
  for (int i = 0; i < 10; ++i) {
    std::atomic<bool> begun{false};
    Thread builder([&, i] {
      const std::string source = long_source(i);
      const char* text = source.c_str();
      cl_int code = 0;
      cl_program program = session.cl.CreateProgramWithSource(session.context, 1, &text, nullptr, &code);
      begun = true;
      code = session.cl.BuildProgram(program, 1, &session.device, "", nullptr, nullptr);
      expect(code == CL_SUCCESS, "clBuildProgram of a cancelled thread", code);
      session.cl.ReleaseProgram(program);
      for (;;) usleep(1000);  // the thread is cancelled here at the latest, also if the build has ended before
    });
    while (!begun) usleep(100);
    usleep(static_cast<unsigned>(i) * 10'000);
    builder.cancel();
    expect(builder.join(), "the thread ends after the call");
  }
  session.compute(1);
  return 0;
}

int cancel_waits(Session& session, const Arguments&) {
  Driver& cl = session.cl;
  cl_int code = 0;
  cl_mem buffer = cl.CreateBuffer(session.context, CL_MEM_READ_WRITE, 64, nullptr, &code);
  expect(code == CL_SUCCESS, "clCreateBuffer", code);
  char bytes[64] = {};
  for (const int way : {0, 1, 2}) {
    cl_event gate = cl.CreateUserEvent(session.context, &code);
    cl_event done = nullptr;
    code = cl.EnqueueReadBuffer(session.queue, buffer, CL_FALSE, 0, 64, bytes, 1, &gate, &done);
    expect(code == CL_SUCCESS, "clEnqueueReadBuffer", code);
    std::atomic<bool> returned{false};
    Thread waiter([&] {
      cl_int waited = 0;
      if (way == 0) waited = cl.Finish(session.queue);
      if (way == 1) waited = cl.WaitForEvents(1, &done);
      if (way == 2) waited = cl.EnqueueReadBuffer(session.queue, buffer, CL_TRUE, 0, 64, bytes, 0, nullptr, nullptr);
      returned = true;
      expect(waited == CL_SUCCESS, "the wait of a cancelled thread", waited);
    });
    usleep(50'000);
    waiter.cancel();
    usleep(50'000);
    expect(!returned, "the wait goes on");
    expect(cl.SetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS, "clSetUserEventStatus");
    expect(waiter.join(), "the thread ends after the call");
    cl.ReleaseEvent(done);
    cl.ReleaseEvent(gate);
  }
  cl.ReleaseMemObject(buffer);
  session.compute(1);
  return 0;
}

int file_size_limit(Session& session, const Arguments& arguments) {
  expect(!arguments.empty(), "the limit");
  signal(SIGXFSZ, SIG_DFL);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const rlimit low{std::stoul(arguments[0]), old.rlim_max};
  expect(setrlimit(RLIMIT_FSIZE, &low) == 0, "setrlimit");
  if (arguments.size() > 1 && arguments[1] == "fails") {
    for (int i = 0; i < 3; ++i) {
      const cl_int code = session.build_code("__kernel void f" + std::to_string(i) + "(__global int* a) { a[0] = 1; }");
      expect(code <= 0, "an answer, whatever it is", code);
    }
    expect(setrlimit(RLIMIT_FSIZE, &old) == 0, "setrlimit");
  }
  session.compute(1);
  session.compute(2);
  sigset_t pending;
  sigpending(&pending);
  expect(!sigismember(&pending, SIGXFSZ), "no signal is left behind");
  return 0;
}

int compiler_memory(Session& session, const Arguments&) {
  const rlimit most{std::size_t{1} << 30, std::size_t{1} << 30};
  expect(setrlimit(RLIMIT_DATA, &most) == 0, "setrlimit");
  // Each pair of parentheses makes ten times as many words of what it contains.
  std::string words = "1";
  for (int level = 0; level < 12; ++level) words = "TEN(" + words + ")";
  cl_int code = 0;
  const cl_program program = session.build(
      "#define TEN(x) x x x x x x x x x x\n__kernel void f(__global int* a) { a[0] = " + words + "; }", code);
  expect(code == CL_BUILD_PROGRAM_FAILURE, "the build fails", code);
  expect(session.log(program).find("more memory than it may take") != std::string::npos, "the log says why");
  session.cl.ReleaseProgram(program);
  session.compute(1);
  return 0;
}

int few_descriptors(Session& session, const Arguments&) {
  const rlimit low{24, 24};
  expect(setrlimit(RLIMIT_NOFILE, &low) == 0, "setrlimit");
  std::vector<std::thread> threads;
  threads.reserve(40);
  for (int i = 0; i < 40; ++i) threads.emplace_back([&session, i] { session.compute(i); });
  for (auto& thread : threads) thread.join();
  return 0;
}

namespace {

sigjmp_buf g_back;
std::atomic<const void*> g_fault{nullptr};

void handle_own_fault(int, siginfo_t* info, void*) {
  g_fault = info->si_addr;
  siglongjmp(g_back, 1);
}

}  // namespace

int own_crash_handlers(Session& session, const Arguments&) {
  struct sigaction own{};
  own.sa_sigaction = handle_own_fault;
  own.sa_flags = SA_SIGINFO;
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL}) expect(sigaction(signal, &own, nullptr) == 0, "sigaction");
  auto* forbidden = static_cast<char*>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  std::atomic<bool> stop{false};
  std::thread builder([&] {
    for (int i = 0; i < 3; ++i) {
      const cl_int code =
          session.build_code("#pragma clang __debug crash\n__kernel void c" + std::to_string(i) + "() {}");
      expect(code == CL_BUILD_PROGRAM_FAILURE, "a build that crashes", code);
      expect(session.build_code(long_source(i)) == CL_SUCCESS, "a build after a crash");
    }
    stop = true;
  });
  long faults = 0;
  for (; !stop; ++faults) {
    g_fault = nullptr;
    if (sigsetjmp(g_back, 1) == 0) {
      *static_cast<volatile char*>(forbidden + 7) = 1;
      expect(false, "a fault");
    }
    expect(g_fault == forbidden + 7, "the application's handler gets its own fault");
    usleep(500);
  }
  builder.join();
  expect(faults > 100, "faults while the compiler works", faults);
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL}) {
    struct sigaction now{};
    sigaction(signal, nullptr, &now);
    expect(now.sa_sigaction == handle_own_fault, "the application's handlers are in place");
  }
  session.compute(1);
  return 0;
}

}  // namespace lanewise::robustness

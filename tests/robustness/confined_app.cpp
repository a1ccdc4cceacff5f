// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>

#include "tests/robustness/confined.h"
#include "tests/robustness/processes.h"

namespace lanewise::robustness {

void print_log_of_include(Session& session, const std::string& file) {
  cl_int code = 0;
  cl_program program = session.build("#include \"" + file + "\"\nkernel void f(global int* a) {}", code);
  std::printf("%d\n%s", code, session.log(program).c_str());
  session.cl.ReleaseProgram(program);
}

namespace {

// --- Descriptors ------------------------------------------------------------------------------------------------------

/// Sockets of the application where the driver's descriptors were.
class OwnSockets {
 public:
  explicit OwnSockets(int type) {
    for (int number = 3; number < 1024; ++number) close(number);
    for (int i = 0; i < 40; ++i) {
      int ends[2];
      expect(socketpair(AF_UNIX, type, 0, ends) == 0, "socketpair", errno);
      for (const int end : ends) numbers_.emplace_back(end, inode_of(end));
    }
  }
  /// Nobody has written to one of them or closed it.
  void check() const {
    for (const auto& [number, inode] : numbers_) {
      char byte = 0;
      expect(inode_of(number) == inode, "the application's socket is open", number);
      expect(recv(number, &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN, "nothing came on the application's", number);
    }
  }

 private:
  static ino_t inode_of(int number) {
    struct stat info{};
    return fstat(number, &info) == 0 ? info.st_ino : 0;
  }
  std::vector<std::pair<int, ino_t>> numbers_;
};

int close_descriptors(Session& session, const Arguments&) {
  int salt = 0;
  for (const int type : {SOCK_SEQPACKET, SOCK_STREAM, SOCK_DGRAM}) {
    session.compute(++salt);
    const OwnSockets own(type);
    session.compute(++salt);
    own.check();
  }
  session.compute(++salt);
  return 0;
}

int close_descriptors_during_builds(Session& session, const Arguments&) {
  session.compute(1);
  std::atomic<bool> stop{false};
  std::thread closer([&] {
    while (!stop) {
      usleep(15'000);
      for (const pid_t helper : helpers()) (void)helper;  // opens and closes some of its own
      for (int number = 3; number < 64; ++number) {
        struct stat info{};
        if (fstat(number, &info) == 0 && S_ISSOCK(info.st_mode)) close(number);
      }
    }
  });
  for (int i = 0; i < 20; ++i) {
    const cl_int code = session.build_code("kernel void g" + std::to_string(i) + "() {}");
    expect(code <= 0, "an answer", code);
  }
  stop = true;
  closer.join();
  session.compute(2);
  return 0;
}

// --- Processes that are stopped and ended ------------------------------------------------------------------------------

int stopped_helper(Session& session, const Arguments& arguments) {
  const bool large = !arguments.empty() && arguments[0] == "large";
  session.compute(1);
  const auto stopped = helpers();
  expect(stopped.size() == 1, "one helper", static_cast<long>(stopped.size()));
  kill(stopped[0], SIGSTOP);
  const auto begin = Clock::now();
  // More than the socket holds: the request cannot even be sent.
  if (large)
    expect(session.build_code("//" + std::string(4 << 20, 'x') + "\nkernel void f() {}") == CL_SUCCESS, "built");
  session.compute(2);
  std::printf("%s", seconds_since(begin) < 40 ? "soon" : "late");
  let_go_on(stopped);
  return 0;
}

/// While it compiles: stopped as soon as it is busy.
int stopped_in_a_build(Session& session, const Arguments&) {
  session.compute(1);
  const auto stopped = helpers();
  std::string text;
  for (int i = 0; i < 80; ++i)
    text += "kernel void k" + std::to_string(i) + "(global float* a) { for (int i = 0; i < " + std::to_string(i + 2) +
            "; ++i) a[i] = a[i] * 2.0f + sin(a[i + 1]); }\n";
  std::thread stopper([&] {
    usleep(300'000);
    kill(stopped.at(0), SIGSTOP);
  });
  const auto begin = Clock::now();
  expect(session.build_code(text) == CL_SUCCESS, "built");
  std::printf("%s", seconds_since(begin) < 120 ? "soon" : "late");
  stopper.join();
  let_go_on(stopped);
  return 0;
}

// --- The helper's surroundings -----------------------------------------------------------------------------------------

int print_helper_environment(Session& session, const Arguments&) {
  session.compute(1);
  for (const pid_t helper : helpers()) {
    std::string text = file_text("/proc/" + std::to_string(helper) + "/environ");
    std::replace(text.begin(), text.end(), '\0', '\n');
    std::printf("%s", text.c_str());
  }
  return 0;
}

/// Prints the file of each open descriptor of the helper.
int print_helper_descriptors(Session& session, const Arguments&) {
  const int high = fcntl(2, F_DUPFD, 900);  // without close-on-exec
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = 500;
  setrlimit(RLIMIT_NOFILE, &limit);
  session.compute(1);
  for (const pid_t helper : helpers())
    for (int number = 0; number < 1024; ++number) {
      char target[256] = {};
      const std::string link = "/proc/" + std::to_string(helper) + "/fd/" + std::to_string(number);
      if (readlink(link.c_str(), target, sizeof target - 1) > 0) std::printf("%d=%s\n", number, target);
    }
  close(high);
  return 0;
}

int compute(Session& session, const Arguments&) {
  session.compute(1);
  return 0;
}

int run(const std::string& name, const Arguments& arguments) {
  if (name == "deny_call") return deny_call(arguments);
  const std::map<std::string, int (*)(Session&, const Arguments&)> scenarios = {
      {"compute", compute},
      {"give_up", give_up},
      {"new_process_namespace", new_process_namespace},
      {"close_descriptors", close_descriptors},
      {"close_descriptors_during_builds", close_descriptors_during_builds},
      {"stopped_helper", stopped_helper},
      {"stopped_in_a_build", stopped_in_a_build},
      {"killed_translators", killed_translators},
      {"stopped_translators", stopped_translators},
      {"no_processes", no_processes},
      {"print_helper_environment", print_helper_environment},
      {"print_helper_descriptors", print_helper_descriptors},
  };
  const auto found = scenarios.find(name);
  expect(found != scenarios.end(), "a known scenario");
  Driver driver;
  Session session(driver);
  return found->second(session, arguments);
}

}  // namespace
}  // namespace lanewise::robustness

int main(int count, char** arguments) {
  if (count < 2) return 2;
  return lanewise::robustness::run(arguments[1], {arguments + 2, arguments + count});
}

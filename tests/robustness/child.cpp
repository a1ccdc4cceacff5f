// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/robustness/child.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "tests/robustness/processes.h"

namespace lanewise::robustness {

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kDriverVariables[] = {"LANEWISE_DEBUG",     "LANEWISE_THREADS",      "LANEWISE_ISA",
                                            "LANEWISE_COMPILER",  "LANEWISE_COMPILER_DIR", "LANEWISE_CACHE",
                                            "LANEWISE_CACHE_DIR", "LANEWISE_CACHE_SIZE",   "LANEWISE_VECTORIZE",
                                            "LANEWISE_VERIFY",    "LANEWISE_BUILD"};

struct Pipe {
  int read_end = -1;
  int write_end = -1;
  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) == 0) {
      read_end = ends[0];
      write_end = ends[1];
    }
  }
};

[[noreturn]] void become_app(const std::vector<std::string>& arguments, const Options& options,
                             const std::string& directory, const std::string& cache, const std::string& tag, int out,
                             int err) {
  dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), 0);
  dup2(out, 1);
  dup2(err, 2);
  syscall(SYS_close_range, 3, ~0U, 0);
  if (chdir(directory.c_str()) != 0) _exit(kNotAllowedHere);
  for (const char* name : kDriverVariables) unsetenv(name);
  setenv("LANEWISE_CACHE_DIR", cache.c_str(), 1);
  setenv("ROBUSTNESS_DRIVER", LANEWISE_DRIVER_FILE, 1);
  setenv(kTag, tag.c_str(), 1);
  setenv("ASAN_OPTIONS", "detect_leaks=0", 0);  // most scenarios are about ending without a release
  for (const auto& [name, value] : options.environment) setenv(name.c_str(), value.c_str(), 1);
  for (const auto& name : options.unset) unsetenv(name.c_str());
  if (options.before_exec && !options.before_exec()) _exit(kNotAllowedHere);
  std::vector<char*> list;
  std::string program = options.program.empty() ? LANEWISE_ROBUSTNESS_APP : options.program;
  list.push_back(program.data());
  std::vector<std::string> copies = arguments;
  for (auto& argument : copies) list.push_back(argument.data());
  list.push_back(nullptr);
  execv(program.c_str(), list.data());
  _exit(127);
}

/// Reads what is available; false at the end of the stream.
bool take(int descriptor, std::string& into) {
  std::array<char, 4096> block{};
  const ssize_t got = read(descriptor, block.data(), block.size());
  if (got > 0) into.append(block.data(), static_cast<std::size_t>(got));
  return got > 0;
}

/// Collects both streams until the child has ended. Processes that it started may keep the streams open longer.
void watch(pid_t child, int out, int err, Clock::time_point deadline, Outcome& outcome) {
  bool ended = false;
  int status = 0;
  std::array<pollfd, 2> streams = {{{out, POLLIN, 0}, {err, POLLIN, 0}}};
  while (!ended) {
    ended = waitpid(child, &status, WNOHANG) == child;
    if (!ended && Clock::now() > deadline) {
      outcome.timed_out = true;
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      ended = true;
    }
    while (poll(streams.data(), streams.size(), ended ? 0 : 5) > 0) {
      if ((streams[0].revents & (POLLIN | POLLHUP)) != 0 && !take(out, outcome.out)) streams[0].fd = -1;
      if ((streams[1].revents & (POLLIN | POLLHUP)) != 0 && !take(err, outcome.err)) streams[1].fd = -1;
      if (streams[0].fd < 0 && streams[1].fd < 0) break;
    }
    if (!ended && streams[0].fd < 0 && streams[1].fd < 0) usleep(2000);
  }
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
}

/// Whether a process with this tag in its environment exists.
bool tag_is_alive(const std::string& tag) {
  const std::string mark = std::string(kTag) + "=" + tag + '\0';
  DIR* proc = opendir("/proc");
  if (proc == nullptr) return false;
  bool found = false;
  while (const dirent* entry = readdir(proc)) {
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
    const std::string text = file_text(std::string("/proc/") + entry->d_name + "/environ");
    found = found || text.find(mark) != std::string::npos;
  }
  closedir(proc);
  return found;
}

}  // namespace

bool mount_over(const std::string& path, const char* options, unsigned long flags) {
  return unshare(CLONE_NEWNS) == 0 && mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("tmpfs", path.c_str(), "tmpfs", flags, options) == 0;
}

Outcome run_app(const std::vector<std::string>& arguments, const Options& options) {
  static int number = 0;
  const std::string tag = std::to_string(getpid()) + "." + std::to_string(++number);
  const TemporaryDirectory working;
  const TemporaryDirectory cache;
  const Pipe out;
  const Pipe err;
  Outcome outcome;
  const auto deadline = Clock::now() + std::chrono::milliseconds(static_cast<long>(options.seconds * 1000));
  const pid_t child = fork();
  if (child < 0) return outcome;
  if (child == 0) become_app(arguments, options, working.path(), cache.path(), tag, out.write_end, err.write_end);
  close(out.write_end);
  close(err.write_end);
  watch(child, out.read_end, err.read_end, deadline, outcome);
  close(out.read_end);
  close(err.read_end);
  for (int i = 0; i < 200 && (outcome.helper_left = tag_is_alive(tag)); ++i) usleep(10'000);
  for (const auto& entry : std::filesystem::directory_iterator(working.path()))
    outcome.left_in_directory.push_back(entry.path().filename());
  return outcome;
}

}  // namespace lanewise::robustness

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processes that start together with one empty cache, as the ranks of a parallel program do. They are forked before the
// driver is opened.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "tests/robustness/forked.h"
#include "tests/robustness/processes.h"
#include "tests/robustness/scenarios.h"

namespace lanewise::robustness {

namespace {

/// Forks a rank; `work` gets a session of its own.
template <class Work>
pid_t start_rank(Work&& work) {
  const pid_t rank = fork();
  if (rank != 0) return rank;
  alarm(3 * kHang);
  Driver driver;
  Session session(driver);
  work(session);
  std::fflush(stdout);
  _exit(0);
}

/// Whether a process is at work on an entry of the cache.
bool is_locked(const std::string& cache) {
  std::error_code error;
  for (std::filesystem::directory_iterator it(cache, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".lock") return true;
  return false;
}

}  // namespace

/// `ranks COUNT KIND`: all of them build the same at the same time, a good program that they run, or a bad one.
int ranks(const Arguments& arguments) {
  const int count = std::atoi(arguments.at(0).c_str());
  const bool good = arguments.at(1) == "good";
  int gate[2];
  expect(pipe(gate) == 0, "pipe", errno);
  std::vector<pid_t> started;
  for (int i = 0; i < count; ++i)
    started.push_back(start_rank([&](Session& session) {
      close(gate[1]);
      char byte = 0;
      (void)!read(gate[0], &byte, 1);  // until the parent opens the gate
      if (good) return session.compute(1);
      expect(session.build_code("kernel void f() { unknown(); }") == CL_BUILD_PROGRAM_FAILURE, "a bad program");
    }));
  close(gate[0]);
  usleep(300'000);  // they open the driver
  close(gate[1]);
  for (const pid_t rank : started) expect_child_ends(rank);
  return 0;
}

/// `lost_rank SIGNAL`: a rank gets the signal while it compiles, and another one wants the same.
int lost_rank(const Arguments& arguments) {
  const int signal = std::atoi(arguments.at(0).c_str());
  const std::string cache = std::getenv("LANEWISE_CACHE_DIR");
  const pid_t owner = start_rank([](Session& session) {
    session.compute(1);
    for (const pid_t helper : helpers()) kill(helper, SIGSTOP);  // so that the compile does not end
    session.compute(2);
  });
  for (int i = 0; helpers().empty() && i < 2000; ++i) usleep(5000);
  const auto stopped = helpers();
  expect(stopped.size() == 1, "one helper", static_cast<long>(stopped.size()));
  const auto is_stopped = [&] {
    return file_text("/proc/" + std::to_string(stopped[0]) + "/stat").find(") T ") != std::string::npos;
  };
  for (int i = 0; (!is_stopped() || !is_locked(cache)) && i < 2000; ++i) usleep(5000);
  expect(is_locked(cache), "the lock of a compile");
  const pid_t other = start_rank([](Session& session) { session.compute(2); });
  usleep(200'000);
  kill(owner, signal);
  expect_child_ends(other);
  kill(owner, SIGKILL);
  kill(stopped[0], SIGKILL);
  expect(waitpid(owner, nullptr, 0) == owner, "waitpid", errno);
  return 0;
}

}  // namespace lanewise::robustness

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-startup ROUNDS PROGRAM [VENDORS]: median wall time, in seconds, of a child process, with OCL_ICD_VENDORS set to
// VENDORS if it is given. A small program of its own, so that starting the children costs nearly nothing.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/bench.h"

namespace {

double run_once(char* program, const posix_spawn_file_actions_t& actions) {
  char* arguments[] = {program, nullptr};
  pid_t child = 0;
  int status = 0;
  const double begin = lanewise::bench::seconds_now();
  if (posix_spawn(&child, program, &actions, nullptr, arguments, environ) != 0 || waitpid(child, &status, 0) != child ||
      status != 0) {
    std::fprintf(stderr, "%s failed\n", program);
    std::exit(1);
  }
  return lanewise::bench::seconds_now() - begin;
}

}  // namespace

int main(int count, char** values) {
  if (count < 3) return 2;
  if (count > 3) setenv("OCL_ICD_VENDORS", values[3], 1);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  std::vector<double> times;
  run_once(values[2], actions);  // brings the files into memory
  for (int round = std::atoi(values[1]); round > 0; --round) times.push_back(run_once(values[2], actions));
  posix_spawn_file_actions_destroy(&actions);
  lanewise::bench::report("wall", lanewise::bench::quantile(times, 0.5));
  return 0;
}

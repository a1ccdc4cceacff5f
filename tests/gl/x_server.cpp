// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/gl/x_server.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace lanewise::test {

namespace {

pid_t g_server = 0;

void stop() {
  if (g_server == 0) return;
  kill(g_server, SIGTERM);
  waitpid(g_server, nullptr, 0);
}

/// What the server writes when it is ready, in one write or several: the number of its display and a newline.
std::string read_number(int fd) {
  constexpr int kPatienceMs = 20'000;
  std::string number;
  for (char c = 0; c != '\n'; number += c) {
    pollfd ready{fd, POLLIN, 0};
    if (poll(&ready, 1, kPatienceMs) != 1 || read(fd, &c, 1) != 1) return {};
  }
  number.pop_back();
  return number;
}

std::string start() {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    close(ends[0]);
    const std::string fd = std::to_string(ends[1]);
    execlp("Xvfb", "Xvfb", "-displayfd", fd.c_str(), "-screen", "0", "640x480x24", "-nolisten", "tcp", "-noreset",
           nullptr);
    _exit(1);
  }
  close(ends[1]);
  if (child < 0) return {};
  g_server = child;
  std::atexit(stop);
  const std::string number = read_number(ends[0]);
  close(ends[0]);
  return number.empty() ? number : ":" + number;
}

}  // namespace

const std::string& x_display() {
  static const std::string name = start();
  return name;
}

}  // namespace lanewise::test

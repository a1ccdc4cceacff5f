// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tools/info/apart.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "src/file/file.h"

namespace lanewise::info {

std::string Facts::get(const std::string& name) const {
  for (const auto& [key, value] : all_)
    if (key == name) return value;
  return {};
}

std::vector<std::string> Facts::all(const std::string& name) const {
  std::vector<std::string> found;
  for (const auto& [key, value] : all_)
    if (key == name) found.push_back(value);
  return found;
}

std::string Facts::encoded() const {
  std::string text;
  for (const auto& [name, value] : all_) {
    std::string line = name + '\t' + value;
    std::replace(line.begin(), line.end(), '\n', ' ');
    text += line + '\n';
  }
  return text;
}

Facts Facts::decoded(const std::string& text) {
  Facts facts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::size_t tab = text.find('\t', begin);
    if (tab < end) facts.add(text.substr(begin, tab - begin), text.substr(tab + 1, end - tab - 1));
    begin = end + 1;
  }
  return facts;
}

namespace {

/// What the process does. It never returns, so that nothing of this program runs twice.
[[noreturn]] void answer(int into, const std::function<void(Facts&)>& question) {
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere >= 0)
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, standard);
  Facts facts;
  question(facts);
  const std::string text = facts.encoded();
  file::write_all(into, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  _exit(0);
}

/// Reads until the other end is closed. False: the time is over.
bool read_until(int from, std::string& text, std::chrono::steady_clock::time_point end) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd watched{from, POLLIN, 0};
    const int ready = poll(&watched, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    char block[4096];
    const ssize_t got = read(from, block, sizeof block);
    if (got <= 0) return true;
    text.append(block, static_cast<std::size_t>(got));
  }
}

}  // namespace

Facts ask_apart(const std::function<void(Facts&)>& question, unsigned seconds) {
  Facts failed;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    failed.add("error", std::string("no pipe: ") + std::strerror(errno));
    return failed;
  }
  const pid_t child = fork();
  if (child == 0) answer(ends[1], question);
  close(ends[1]);
  const file::Descriptor from(ends[0]);
  if (child < 0) {
    failed.add("error", std::string("no process: ") + std::strerror(errno));
    return failed;
  }
  std::string text;
  const bool in_time = read_until(from.get(), text, std::chrono::steady_clock::now() + std::chrono::seconds(seconds));
  if (!in_time) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  Facts facts = Facts::decoded(text);
  if (!in_time) facts.add("error", "no answer within " + std::to_string(seconds) + " seconds");
  if (in_time && WIFSIGNALED(status)) facts.add("error", std::string("it crashed: ") + strsignal(WTERMSIG(status)));
  if (in_time && WIFEXITED(status) && WEXITSTATUS(status) != 0)
    facts.add("error", "it ended the process with code " + std::to_string(WEXITSTATUS(status)));
  return facts;
}

}  // namespace lanewise::info

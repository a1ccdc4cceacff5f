// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `lanewise-spirv`: reads a SPIR-V module on standard input and writes canonical LLVM bitcode on standard output. Exit
/// codes: 0 translated, 1 refused with a reason on standard error, 2 wrong arguments.
///
/// `lanewise-spirv --serve`: does so for the compiler (protocol.h). It loads the translator once, and each conversation
/// is served by a forked copy of this process: the translator asserts, exits or crashes on most damaged modules, may
/// take all memory or never end, and all of that ends only the copy.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "compiler/spirv/mended_form.h"
#include "compiler/spirv/protocol.h"
#include "compiler/spirv/translate.h"
#include "compiler/spirv/validate.h"
#include "include/lanewise/version.h"
#include "src/base/sanitizers.h"
#include "src/file/pass_descriptors.h"

namespace {

using namespace lanewise;

/// The descriptors of one conversation that the caller has sent.
struct Ends {
  file::Descriptor socket;
  file::Descriptor print;
};

spirv::Answer answer(spirv::Job job) {
  if (job.wish == spirv::Wish::write) return spirv::write(job);
  job.module = spirv::bytes_of(spirv::mended_form(spirv::words_of(job.module)));
  if (job.wish == spirv::Wish::translate) return spirv::translate(job);
  std::string fault = spirv::fault_of(job.module);
  return {.good = fault.empty(), .reason = std::move(fault), .bytes = {}};
}

/// Receives one packet; nullopt when the caller has ended.
std::optional<Ends> receive_ends() {
  std::byte byte{};
  auto got = file::receive_descriptors(spirv::kSocketNumber, {&byte, 1}, 0);
  if (got.bytes != 1 || got.count != got.descriptors.size()) return std::nullopt;
  return Ends{std::move(got.descriptors[0]), std::move(got.descriptors[1])};
}

// A sanitizer reserves more address space than any limit would allow.
constexpr bool kLimitsMemory = !kAddressSanitizer && !kThreadSanitizer;

void say_alive() {
  (void)!send(STDERR_FILENO, &spirv::kBeat, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/// Beats, until the time is over.
void tick(int) {
  static volatile int left = static_cast<int>(std::chrono::seconds(spirv::kSeconds) / spirv::kBeatInterval);
  const int saved = errno;
  left = left - 1;
  if (left == 0) {
    constexpr std::string_view kWords = "it takes too long";
    (void)!write(STDERR_FILENO, kWords.data(), kWords.size());
    _exit(1);
  }
  say_alive();
  errno = saved;
}

void start_beating() {
  say_alive();
  struct sigaction action{};
  action.sa_handler = tick;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  constexpr timeval kInterval{0, std::chrono::microseconds(spirv::kBeatInterval).count()};
  const itimerval timer{kInterval, kInterval};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

/// Memory and time, each with a limit that ends this process alone.
void limit_this_process() {
  const rlimit memory{spirv::kLargestMemory, spirv::kLargestMemory};
  if (kLimitsMemory) setrlimit(RLIMIT_AS, &memory);
  // The signal of the hard limit is that of somebody who kills.
  const rlimit time{spirv::kSeconds, spirv::kSeconds + 10};
  setrlimit(RLIMIT_CPU, &time);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/// Serves one conversation, in the copy; never returns.
[[noreturn]] void converse(const Ends& ends) {
  close(spirv::kSocketNumber);
  dup2(ends.print.get(), STDERR_FILENO);
  start_beating();
  limit_this_process();
  auto job = spirv::receive_message<spirv::Job>(ends.socket.get());
  const bool answered = job && spirv::send_message(ends.socket.get(), answer(*std::move(job)));
  _exit(answered ? 0 : 1);
}

/// The copies and where their ends are to be told. Changed while SIGCHLD is blocked, which it is except while this
/// process waits; so the handler may use memory.
std::map<pid_t, file::Descriptor>& copies() {
  static auto& all = *new std::map<pid_t, file::Descriptor>;
  return all;
}

void tell(const file::Descriptor& print, const spirv::Verdict& verdict) {
  // The caller reads. What the copy has printed may fill the socket up for a moment.
  const timeval patience{1, 0};
  setsockopt(print.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  fcntl(print.get(), F_SETFL, 0);
  const auto bytes = verdict.encoded();
  (void)!send(print.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

void take_ended_copies(int) {
  const int saved = errno;
  int status = 0;
  for (pid_t copy = 0; (copy = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0;) {
    if (WIFSTOPPED(status)) {  // it would block its caller
      kill(copy, SIGKILL);
      continue;
    }
    const auto found = copies().find(copy);
    if (found == copies().end()) continue;
    using Kind = spirv::Verdict::Kind;
    if (WIFSIGNALED(status)) tell(found->second, {Kind::signal, static_cast<unsigned>(WTERMSIG(status))});
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
      tell(found->second, {Kind::exit, static_cast<unsigned>(WEXITSTATUS(status))});
    copies().erase(found);
  }
  errno = saved;
}

/// Blocks or unblocks the signal of an ended copy.
void let_copies_end(bool allowed) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(allowed ? SIG_UNBLOCK : SIG_BLOCK, &child, nullptr);
}

int serve() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  let_copies_end(false);
  struct sigaction ended{};
  ended.sa_handler = take_ended_copies;
  sigaction(SIGCHLD, &ended, nullptr);
  const char hello = 1;
  if (send(spirv::kSocketNumber, &hello, 1, MSG_NOSIGNAL) != 1) return 1;
  for (;;) {
    let_copies_end(true);
    auto ends = receive_ends();
    let_copies_end(false);
    if (!ends) return 0;
    const pid_t copy = fork();
    if (copy == 0) {
      signal(SIGCHLD, SIG_DFL);
      let_copies_end(true);
      copies().clear();  // their callers wait for the end of each
      converse(*ends);
    }
    if (copy < 0) tell(ends->print, {spirv::Verdict::Kind::no_copy, static_cast<unsigned>(errno)});
    // The caller sees the end of a conversation without a copy at once: its socket is closed here.
    if (copy > 0) copies().emplace(copy, std::move(ends->print));
  }
}

int translate_once() {
  spirv::Job job;
  std::array<std::uint8_t, 65536> block{};
  for (ssize_t got = 0; (got = read(STDIN_FILENO, block.data(), block.size())) > 0;)
    job.module.insert(job.module.end(), block.begin(), block.begin() + got);
  const spirv::Answer made = answer(std::move(job));
  if (!made.good) {
    std::fprintf(stderr, "SPIR-V: %s\n", made.reason.c_str());
    return 1;
  }
  return std::fwrite(made.bytes.data(), 1, made.bytes.size(), stdout) == made.bytes.size() ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view argument = count == 2 ? arguments[1] : "";
  if (count == 1) return translate_once();
  if (argument == "--serve") return serve();
  if (argument == "--version") return std::puts("lanewise-spirv " LANEWISE_VERSION) < 0 ? 1 : 0;
  std::puts("usage: lanewise-spirv < module.spv > module.bc");
  return argument == "--help" ? 0 : 2;
}

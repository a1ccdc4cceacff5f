// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/translator.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "src/file/pass_descriptors.h"

namespace lanewise {
namespace {

using std::chrono::milliseconds;

/// How often a job is begun.
constexpr int kTurns = 4;
/// How long nothing may come of a copy, which says twice a second that it runs, before it counts as stopped. Doubled at
/// each turn, in case the machine is overloaded.
constexpr milliseconds kPatience{5000};
/// For the program to load its libraries, perhaps from a slow disk.
constexpr milliseconds kStartPatience{20'000};
/// A socket is looked at so often.
constexpr milliseconds kStep{500};

void limit_waits(int socket, milliseconds limit) {
  const timeval time{limit.count() / 1000, limit.count() % 1000 * 1000};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

/// Waits until the program is ready to serve. False if it ended instead, for example because it lacks a library.
bool says_hello(int control) {
  limit_waits(control, kStartPatience);
  char byte = 0;
  ssize_t got = 0;
  do {
    got = recv(control, &byte, 1, 0);
  } while (got < 0 && errno == EINTR);
  return got == 1;
}

/// What a translator that ended itself has printed; may be empty.
std::string without_addresses(std::string text) {
  // What follows is a stack of addresses.
  text.resize(std::min(text.size(), text.find("\nPLEASE submit")));
  text.resize(std::min(text.size(), text.find("\nStack dump")));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

/// Whether a process ends in this way by what it does itself.
bool is_own_end(const spirv::Verdict& verdict) {
  constexpr unsigned kOwn[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP, SIGXCPU, SIGXFSZ};
  using Kind = spirv::Verdict::Kind;
  return verdict.kind == Kind::exit || (verdict.kind == Kind::signal && std::ranges::count(kOwn, verdict.value) != 0);
}

/// The status of a process that has been killed or has ended before.
int reap(pid_t process) {
  int status = SIGKILL;
  for (int turn = 0; turn < 200 && waitpid(process, &status, WNOHANG) == 0; ++turn)
    std::this_thread::sleep_for(milliseconds(5));
  return status;
}

/// Why there was no answer, where the module is not the reason.
std::string reason_of(const std::optional<spirv::Verdict>& verdict, bool silent) {
  if (silent) return "it was stopped from outside, or the machine is overloaded";
  if (!verdict) return "its process was ended from outside";
  if (verdict->kind == spirv::Verdict::Kind::signal)
    return "its process was ended from outside by signal " + std::to_string(verdict->value);
  return std::string("no process can be made: ") + std::strerror(static_cast<int>(verdict->value));
}

}  // namespace

/// The caller's ends of a conversation.
class Translator::Conversation {
 public:
  explicit Conversation(milliseconds patience) : patience_(patience) {}

  /// The ends of the copy; false if there are no descriptors.
  bool open(std::array<file::Descriptor, 2>& theirs) {
    int sockets[2];
    int prints[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return false;
    socket_ = file::Descriptor(sockets[0]);
    theirs[0] = file::Descriptor(sockets[1]);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, prints) != 0) return false;
    print_ = file::Descriptor(prints[0]);
    theirs[1] = file::Descriptor(prints[1]);
    limit_waits(sockets[0], kStep);
    limit_waits(prints[0], kStep);
    return fcntl(prints[1], F_SETFL, O_NONBLOCK) == 0;  // what does not fit is dropped
  }

  std::optional<spirv::Answer> hold(const spirv::Job& job) {
    const spirv::GoesOn goes_on = [this] {
      silence_ += kStep;
      while (read_print(MSG_DONTWAIT)) {
      }
      return !silent();
    };
    // A failure to send also means that the copy has ended early, and may have printed why.
    if (!spirv::send_message(socket_.get(), job, goes_on)) return std::nullopt;
    return spirv::receive_message<spirv::Answer>(socket_.get(), goes_on);
  }

  /// How the copy has ended that has not answered; nothing if nobody can tell. The rest is what it has printed.
  std::pair<std::optional<spirv::Verdict>, std::string> end() {
    socket_ = file::Descriptor();
    while (!closed_ && !silent()) {
      if (!read_print(0)) silence_ += kStep;
    }
    auto verdict = spirv::Verdict::take_from(text_);
    return {verdict, without_addresses(std::move(text_))};
  }

  [[nodiscard]] bool silent() const { return silence_ >= patience_; }
  [[nodiscard]] bool has_begun() const { return begun_; }

  pid_t process = 0;  ///< the one that was asked for a copy

 private:
  /// False if nothing is there.
  bool read_print(int flags) {
    constexpr std::size_t kMost = 16384;
    std::array<char, 4096> block{};
    const ssize_t got = recv(print_.get(), block.data(), block.size(), flags);
    if (got < 0 && errno == EINTR) return true;
    closed_ = got == 0 || (got < 0 && errno != EAGAIN);
    if (got <= 0) return false;
    begun_ = true;
    silence_ = {};
    // The end is kept: it may be the verdict.
    std::copy_if(block.data(), block.data() + got, std::back_inserter(text_), [](char c) { return c != spirv::kBeat; });
    if (text_.size() > kMost) text_.erase(kMost / 2, text_.size() - kMost);
    return true;
  }

  file::Descriptor socket_;
  file::Descriptor print_;
  const milliseconds patience_;
  milliseconds silence_{};
  std::string text_;
  bool begun_ = false;
  bool closed_ = false;
};

Translator& Translator::instance() {
  static Translator& translator = *new Translator;  // leaked: a job may be under way at exit
  return translator;
}

Translator::Opened Translator::start(const std::string& directory) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return Opened::lack;
  file::Descriptor ours(ends[0]);
  // A number above those that the program's own descriptors take.
  file::Descriptor low(ends[1]);
  file::Descriptor theirs(fcntl(low.get(), F_DUPFD_CLOEXEC, 10));
  if (!theirs) return Opened::lack;
  const std::string program = directory + "/" + spirv::kProgramName;
  char serve[] = "--serve";
  char* const arguments[] = {const_cast<char*>(program.c_str()), serve, nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // The helper's own are as good, where there is no /dev.
  if (access("/dev/null", R_OK | W_OK) == 0)
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO})
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, theirs.get(), spirv::kSocketNumber);
  posix_spawn_file_actions_addclosefrom_np(&actions, spirv::kSocketNumber + 1);
  const int error = posix_spawn(&process_, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) process_ = 0;
  if (error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE) return Opened::lack;
  if (error != 0) return Opened::no_program;
  low = file::Descriptor();
  theirs = file::Descriptor();  // from here on only the program has its end of the socket
  if (says_hello(ours.get())) {
    control_ = std::move(ours);
    return Opened::yes;
  }
  // It has ended by itself, been ended, or does not run.
  kill(process_, SIGKILL);
  const int status = reap(std::exchange(process_, 0));
  return WIFEXITED(status) ? Opened::no_program : Opened::lack;
}

void Translator::end(pid_t process) {
  const MutexLock lock(mutex_);
  if (process <= 0 || process_ != process) return;
  control_ = file::Descriptor();
  kill(process_, SIGKILL);
  reap(std::exchange(process_, 0));
}

Translator::Opened Translator::open(const std::string& directory, Conversation& conversation) {
  std::array<file::Descriptor, 2> theirs;
  if (!conversation.open(theirs)) return Opened::lack;
  const MutexLock lock(mutex_);
  const auto hand_over = [&]() REQUIRES(mutex_) {
    constexpr std::array kByte{std::byte{1}};  // a message without one would look like the end of the connection
    conversation.process = process_;
    return control_ && file::send_descriptors(control_.get(), kByte, {theirs[0].get(), theirs[1].get()});
  };
  if (hand_over()) return Opened::yes;
  // Not started yet, or it has been ended from outside.
  control_ = file::Descriptor();
  if (process_ > 0) {
    kill(process_, SIGKILL);
    reap(std::exchange(process_, 0));
  }
  const Opened started = start(directory);
  if (started != Opened::yes) return started;
  return hand_over() ? Opened::yes : Opened::lack;
}

spirv::Answer Translator::run(const std::string& directory, const spirv::Job& job) {
  std::string why;
  for (int turn = 0; turn < kTurns; ++turn) {
    Conversation conversation(kPatience * (1 << turn));
    const Opened opened = open(directory, conversation);
    if (opened == Opened::no_program)
      return {.fault = spirv::Fault::no_translator,
              .reason = "the SPIR-V translator cannot be started; " + directory + "/" + spirv::kProgramName +
                        " --help says why",
              .bytes = {}};
    if (opened == Opened::yes) {
      if (auto answer = conversation.hold(job)) return std::move(*answer);
      const auto [verdict, words] = conversation.end();
      if (verdict && is_own_end(*verdict))
        return {.reason = "the SPIR-V translator gave the module up" + (words.empty() ? words : ": " + words),
                .bytes = {}};
      why = reason_of(verdict, conversation.silent());
      if (conversation.silent() && !conversation.has_begun()) end(conversation.process);
    } else {
      why = "no process can be made";
    }
    std::this_thread::sleep_for(milliseconds(10) * (1 << turn));  // a lack may pass
  }
  return {.fault = spirv::Fault::lack, .reason = "the SPIR-V translator did not run: " + why, .bytes = {}};
}

}  // namespace lanewise

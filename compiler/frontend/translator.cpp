// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/translator.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "src/file/pass_descriptors.h"

namespace lanewise {
namespace {

/// The copy ends itself when its time limit is over, so a longer wait means that it is stuck in the operating system.
constexpr unsigned kPatienceSeconds = spirv::kSeconds + 10;

spirv::Answer refused(std::string reason) {
  return {.good = false, .reason = std::move(reason), .bytes = {}};
}

/// Waits until the program is ready to serve. False if it ended instead, for example because it lacks a library.
bool says_hello(int control) {
  const timeval patience{kPatienceSeconds, 0};
  setsockopt(control, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  char byte = 0;
  ssize_t got = 0;
  do {
    got = recv(control, &byte, 1, 0);
  } while (got < 0 && errno == EINTR);
  return got == 1;
}

/// What a translator that ended itself has printed; may be empty.
std::string printed(int pipe) {
  std::string text(16384, '\0');
  const ssize_t got = read(pipe, text.data(), text.size());
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  // What follows is a stack of addresses.
  text.resize(std::min(text.size(), text.find("\nPLEASE submit")));
  text.resize(std::min(text.size(), text.find("\nStack dump")));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

Translator& Translator::instance() {
  static Translator& translator = *new Translator;  // leaked: a job may be under way at exit
  return translator;
}

bool Translator::start(const std::string& directory) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
  file::Descriptor ours(ends[0]);
  // A number above those that the program's own descriptors take.
  file::Descriptor low(ends[1]);
  file::Descriptor theirs(fcntl(low.get(), F_DUPFD_CLOEXEC, 10));
  const std::string program = directory + "/" + spirv::kProgramName;
  char serve[] = "--serve";
  char* const arguments[] = {const_cast<char*>(program.c_str()), serve, nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO})
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, theirs.get(), spirv::kSocketNumber);
  posix_spawn_file_actions_addclosefrom_np(&actions, spirv::kSocketNumber + 1);
  if (process_ > 0) waitpid(process_, nullptr, WNOHANG);  // the earlier one, which has ended
  const bool made = posix_spawn(&process_, program.c_str(), &actions, nullptr, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  low = file::Descriptor();
  theirs = file::Descriptor();  // from here on only the program has its end of the socket
  if (!made || !says_hello(ours.get())) return false;
  control_ = std::move(ours);
  return true;
}

bool Translator::open(const std::string& directory, Conversation& conversation) {
  int sockets[2];
  int pipes[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return false;
  conversation.socket = file::Descriptor(sockets[0]);
  const file::Descriptor their_socket(sockets[1]);
  if (pipe2(pipes, O_CLOEXEC | O_NONBLOCK) != 0) return false;
  conversation.print = file::Descriptor(pipes[0]);
  const file::Descriptor their_print(pipes[1]);
  const timeval patience{kPatienceSeconds, 0};
  setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(sockets[0], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  const std::lock_guard lock(mutex_);
  const auto hand_over = [&] {
    constexpr std::array kByte{std::byte{1}};  // a message without one would look like the end of the connection
    return control_ && file::send_descriptors(control_.get(), kByte, {their_socket.get(), their_print.get()});
  };
  if (hand_over()) return true;
  // Not started yet, or it has been ended from outside.
  return start(directory) && hand_over();
}

spirv::Answer Translator::run(const std::string& directory, const spirv::Job& job) {
  Conversation conversation;
  if (!open(directory, conversation))
    return {.good = false,
            .served = false,
            .reason = "the SPIR-V translator cannot be started; " + directory + "/" + spirv::kProgramName +
                      " --help says why",
            .bytes = {}};
  // A failure to send also means that the copy has ended early, and may have printed why.
  if (spirv::send_message(conversation.socket.get(), job))
    if (auto answer = spirv::receive_message<spirv::Answer>(conversation.socket.get())) return std::move(*answer);
  const std::string words = printed(conversation.print.get());
  return refused("the SPIR-V translator gave the module up" + (words.empty() ? words : ": " + words));
}

}  // namespace lanewise

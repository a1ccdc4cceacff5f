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
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

#include "compiler/spirv/protocol.h"
#include "compiler/spirv/translate.h"
#include "compiler/spirv/validate.h"
#include "src/base/sanitizers.h"
#include "src/file/pass_descriptors.h"

namespace {

using namespace lanewise;

/// The descriptors of one conversation that the caller has sent.
struct Ends {
  file::Descriptor socket;
  file::Descriptor print;
};

spirv::Answer answer(const spirv::Job& job) {
  if (job.wish == spirv::Wish::translate) return spirv::translate(job);
  if (job.wish == spirv::Wish::write) return spirv::write(job);
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

/// Memory and time, each with a limit that ends this process alone.
void limit_this_process() {
  const rlimit memory{spirv::kLargestMemory, spirv::kLargestMemory};
  if (kLimitsMemory) setrlimit(RLIMIT_AS, &memory);
  const rlimit time{spirv::kSeconds, spirv::kSeconds};
  setrlimit(RLIMIT_CPU, &time);
  signal(SIGALRM, SIG_DFL);
  alarm(spirv::kSeconds);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/// Serves one conversation, in the copy; never returns.
[[noreturn]] void converse(const Ends& ends) {
  close(spirv::kSocketNumber);
  dup2(ends.print.get(), STDERR_FILENO);
  limit_this_process();
  const auto job = spirv::receive_message<spirv::Job>(ends.socket.get());
  const bool answered = job && spirv::send_message(ends.socket.get(), answer(*job));
  _exit(answered ? 0 : 1);
}

int serve() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  signal(SIGCHLD, SIG_IGN);  // copies that have ended leave no zombies
  const char hello = 1;
  if (send(spirv::kSocketNumber, &hello, 1, MSG_NOSIGNAL) != 1) return 1;
  // The caller sees the end of a conversation without a copy at once: the descriptors are closed here.
  while (const auto ends = receive_ends())
    if (fork() == 0) converse(*ends);
  return 0;
}

int translate_once() {
  spirv::Job job;
  std::array<std::uint8_t, 65536> block{};
  for (ssize_t got = 0; (got = read(STDIN_FILENO, block.data(), block.size())) > 0;)
    job.module.insert(job.module.end(), block.begin(), block.begin() + got);
  const spirv::Answer made = spirv::translate(job);
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
  std::puts("usage: lanewise-spirv < module.spv > module.bc");
  return argument == "--help" ? 0 : 2;
}

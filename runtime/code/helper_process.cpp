// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/helper_process.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "include/lanewise/helper_protocol.h"
#include "src/base/sanitizers.h"
#include "src/config/config.h"
#include "src/host/rights.h"

// The two child functions run in the parent's memory while the parent's thread is suspended (CLONE_VM | CLONE_VFORK).
// They only make system calls, without libc: instrumentation and the wrappers that sanitizers put around libc would
// change thread state that belongs to the parent. For the same reason clone is called by its other name.
extern "C" int __clone(int (*run)(void*), void* stack, int flags, void* context, ...);  // NOLINT
#define LANEWISE_UNINSTRUMENTED __attribute__((no_sanitize("address", "thread", "undefined")))

namespace lanewise {

namespace {

constexpr std::size_t kStackBytes = 64 << 10;
constexpr int kVforkFlags = CLONE_VM | CLONE_VFORK;  // no exit signal: invisible to wait() without __WCLONE

struct ProgramStart {
  const char* program;
  char* const* arguments;
  char* const* environment;
  int socket;
  int null;                  ///< what the standard streams become
  int streams;               ///< how many of them do: without LANEWISE_DEBUG three, else two
  unsigned last_descriptor;  ///< highest one to close where there is no close_range (before Linux 5.9)
  char* helper_stack;
  volatile int error;  ///< errno of clone or exec; the memory is shared
};

LANEWISE_UNINSTRUMENTED int helper_main(void* context) {
  auto* launch = static_cast<ProgramStart*>(context);
  // The sigaction structure of the system call, all zero: SIG_DFL. CLONE_VM does not share the table of handlers.
  const unsigned long plain[4] = {};
  constexpr long kMaskBytes = 8;
  for (int number = 1; number <= 64; ++number) syscall(SYS_rt_sigaction, number, plain, nullptr, kMaskBytes);
  // Away from the signals of a terminal, but in the application's session: Linux shares processors among sessions first
  // (autogroup), and only within one do threads that have given way (setpriority) give way to the application's.
  syscall(SYS_setpgid, 0, 0);
  for (int stream = 0; stream < launch->streams; ++stream) syscall(SYS_dup3, launch->null, stream, 0);
  syscall(SYS_dup3, launch->socket, helper::kSocketNumber, 0);
  if (syscall(SYS_close_range, helper::kSocketNumber + 1, ~0U, 0) != 0) {
    for (unsigned number = helper::kSocketNumber + 1; number <= launch->last_descriptor; ++number)
      syscall(SYS_close, number);
  }
  const unsigned long none = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, nullptr, kMaskBytes);
  syscall(SYS_execve, launch->program, launch->arguments, launch->environment);
  launch->error = errno;
  return 127;
}

/// Emulators of processors know clones as fork and vfork alone, whose children signal their end. They copy the memory,
/// so that `error` stays what it is here: a helper that does not come up is noticed by its silence.
LANEWISE_UNINSTRUMENTED int clone_as_vfork(int (*main)(void*), char* stack, ProgramStart* launch) {
  const int made = __clone(main, stack, kVforkFlags, launch);
  return made >= 0 || errno != EINVAL ? made : __clone(main, stack, kVforkFlags | SIGCHLD, launch);
}

LANEWISE_UNINSTRUMENTED int intermediate_main(void* context) {
  auto* launch = static_cast<ProgramStart*>(context);
  if (clone_as_vfork(helper_main, launch->helper_stack + kStackBytes, launch) < 0) launch->error = errno;
  return 0;
}

/// Blocks all signals while the clones run: a handler must not run in a child that shares this memory.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &saved_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &saved_, nullptr); }

 private:
  sigset_t saved_{};
};

/// Returns errno of what failed, or 0.
int run_launch(ProgramStart& launch) {
  void* stacks = mmap(nullptr, 2 * kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stacks == MAP_FAILED) return ENOMEM;
  launch.helper_stack = static_cast<char*>(stacks) + kStackBytes;
  {
    const SignalsBlocked blocked;
    const int intermediate = clone_as_vfork(intermediate_main, static_cast<char*>(stacks) + kStackBytes, &launch);
    if (intermediate < 0) launch.error = errno;
    while (intermediate >= 0 && waitpid(intermediate, nullptr, __WALL) < 0 && errno == EINTR) {
    }
  }
  munmap(stacks, 2 * kStackBytes);
  return launch.error;
}

/// A copy with a number above those of the helper's own descriptors, so that none of them replaces it: in an
/// application that has closed its standard streams, new descriptors start at 0.
file::Descriptor lifted(int number) {
  return file::Descriptor(fcntl(number, F_DUPFD_CLOEXEC, 10));
}

/// /dev/null; where there is none, a pipe that is always empty and takes nothing.
file::Descriptor open_null() {
  const file::Descriptor null(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (null) return lifted(null.get());
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  const file::Descriptor read_end(ends[0]);
  const file::Descriptor write_end(ends[1]);
  return lifted(read_end.get());
}

/// The highest descriptor that the child may have to close one by one.
unsigned last_descriptor() {
  constexpr unsigned kNone = ~0U;
  if (syscall(SYS_close_range, kNone, kNone, 0) == 0) return 0;
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  auto last = static_cast<unsigned>(std::min<rlim_t>(files.rlim_cur, 65536));
  // The limit may have been lowered since one with a higher number was opened.
  std::error_code error;
  for (std::filesystem::directory_iterator it("/proc/self/fd", error), end; !error && it != end; it.increment(error))
    last = std::max(last, static_cast<unsigned>(strtoul(it->path().filename().c_str(), nullptr, 10)));
  return last;
}

/// What the helper gets of the application's environment: the driver's options, where temporary files go, the time zone
/// of __TIME__, and where its libraries may be.
bool concerns_helper(std::string_view variable) {
  for (const std::string_view name : {"TMPDIR=", "TZ=", "LD_LIBRARY_PATH=", "LANEWISE_"})
    if (variable.starts_with(name)) return true;
  const std::string_view name = variable.substr(0, variable.find('='));
  return (kAddressSanitizer || kThreadSanitizer) && name.ends_with("SAN_OPTIONS");
}

std::vector<char*> helper_environment() {
  std::vector<char*> kept;
  for (char** each = environ; !privileged() && each != nullptr && *each != nullptr; ++each)
    if (concerns_helper(*each)) kept.push_back(*each);
  kept.push_back(nullptr);
  return kept;
}

}  // namespace

file::Descriptor start_helper(const std::string& directory, int& error) {
  error = EPERM;
  if (host::next_child_is_init()) return {};
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    error = errno;
    return {};
  }
  file::Descriptor ours(ends[0]);
  const file::Descriptor low(ends[1]);
  const file::Descriptor theirs = lifted(low.get());
  const file::Descriptor null = open_null();
  if (!theirs || !null) {
    error = errno;
    return {};
  }
  const std::string program = directory + "/lanewise-compiler";
  const std::string rights = host::text_of_rights(host::rights_of_this_thread());
  char* const arguments[] = {const_cast<char*>(program.c_str()), const_cast<char*>(directory.c_str()),
                             const_cast<char*>(rights.c_str()), nullptr};
  const std::vector<char*> environment = helper_environment();
  ProgramStart launch{.program = program.c_str(),
                      .arguments = arguments,
                      .environment = environment.data(),
                      .socket = theirs.get(),
                      .null = null.get(),
                      .streams = config().debug.bits == 0 ? 3 : 2,
                      .last_descriptor = last_descriptor(),
                      .helper_stack = nullptr,
                      .error = 0};
  error = run_launch(launch);
  return error == 0 ? std::move(ours) : file::Descriptor();
}

}  // namespace lanewise

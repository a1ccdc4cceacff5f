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

#include "include/lanewise/helper_protocol.h"
#include "src/config/config.h"

// The two child functions run in the parent's memory while the parent's thread is suspended (CLONE_VM | CLONE_VFORK).
// They only make system calls, without libc: instrumentation and the wrappers that sanitizers put around libc would
// change thread state that belongs to the parent. For the same reason clone is called by its other name.
extern "C" int __clone(int (*run)(void*), void* stack, int flags, void* context, ...);  // NOLINT
#define LANEWISE_UNINSTRUMENTED __attribute__((no_sanitize("address", "thread", "undefined")))

namespace lanewise {

namespace {

constexpr std::size_t kStackBytes = 64 << 10;
constexpr int kVforkFlags = CLONE_VM | CLONE_VFORK;  // no exit signal: invisible to wait() without __WCLONE

struct Launch {
  const char* program;
  char* const* arguments;
  char* const* environment;
  int socket;
  int null;                  ///< /dev/null, or -1 to keep the standard streams
  unsigned last_descriptor;  ///< highest one to close where there is no close_range (before Linux 5.9)
  char* helper_stack;
  volatile int error;  ///< errno of exec; the memory is shared
};

LANEWISE_UNINSTRUMENTED int helper_main(void* context) {
  auto* launch = static_cast<Launch*>(context);
  // The sigaction structure of the system call, all zero: SIG_DFL. CLONE_VM does not share the table of handlers.
  const unsigned long plain[4] = {};
  constexpr long kMaskBytes = 8;
  for (int number = 1; number <= 64; ++number) syscall(SYS_rt_sigaction, number, plain, nullptr, kMaskBytes);
  // Away from the signals of a terminal, but in the application's session: Linux shares processors among sessions first
  // (autogroup), and only within one do threads that have given way (setpriority) give way to the application's.
  syscall(SYS_setpgid, 0, 0);
  if (launch->null >= 0) {
    for (int stream = 0; stream < 3; ++stream) syscall(SYS_dup3, launch->null, stream, 0);
  }
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

LANEWISE_UNINSTRUMENTED int intermediate_main(void* context) {
  auto* launch = static_cast<Launch*>(context);
  if (__clone(helper_main, launch->helper_stack + kStackBytes, kVforkFlags, launch) < 0) launch->error = errno;
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

bool run_launch(Launch& launch) {
  void* stacks = mmap(nullptr, 2 * kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stacks == MAP_FAILED) return false;
  launch.helper_stack = static_cast<char*>(stacks) + kStackBytes;
  bool made = false;
  {
    const SignalsBlocked blocked;
    const int intermediate = __clone(intermediate_main, static_cast<char*>(stacks) + kStackBytes, kVforkFlags, &launch);
    made = intermediate >= 0;
    while (made && waitpid(intermediate, nullptr, __WCLONE) < 0 && errno == EINTR) {
    }
  }
  munmap(stacks, 2 * kStackBytes);
  return made && launch.error == 0;
}

/// A copy with a number above those of the helper's own descriptors, so that none of them replaces it: in an
/// application that has closed its standard streams, new descriptors start at 0.
file::Descriptor lifted(int number) {
  return file::Descriptor(fcntl(number, F_DUPFD_CLOEXEC, 10));
}

}  // namespace

file::Descriptor start_helper(const std::string& directory) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return {};
  file::Descriptor ours(ends[0]);
  const file::Descriptor low(ends[1]);
  const file::Descriptor theirs = lifted(low.get());
  if (!theirs) return {};
  const file::Descriptor low_null(config().debug.bits == 0 ? open("/dev/null", O_RDWR | O_CLOEXEC) : -1);
  const file::Descriptor null = lifted(low_null.get());
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  const auto last = static_cast<unsigned>(std::min<rlim_t>(files.rlim_cur, 65536));
  const std::string program = directory + "/lanewise-compiler";
  char* const arguments[] = {const_cast<char*>(program.c_str()), const_cast<char*>(directory.c_str()), nullptr};
  char* const nothing[] = {nullptr};
  Launch launch{program.c_str(), arguments, privileged() ? nothing : environ, theirs.get(), null.get(), last,
                nullptr,         0};
  return run_launch(launch) ? std::move(ours) : file::Descriptor();
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/helper_process.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "include/lanewise/helper_protocol.h"
#include "src/config/config.h"

// The two child functions run in the parent's memory while the parent's thread stands still (CLONE_VM | CLONE_VFORK).
// They only make system calls; instrumentation would write to shadow memory of a thread that it does not know.
#define LANEWISE_UNINSTRUMENTED __attribute__((no_sanitize("address", "thread", "undefined")))

namespace lanewise {

namespace {

constexpr std::size_t kStackBytes = 64 << 10;
constexpr int kVforkFlags = CLONE_VM | CLONE_VFORK;  // no exit signal: invisible to wait() without __WCLONE

struct Launch {
  const char* program;
  int socket;
  int null;  ///< /dev/null, or -1 to keep the standard streams
  char* helper_stack;
  volatile int error;  ///< errno of exec; the memory is shared
};

LANEWISE_UNINSTRUMENTED int helper_main(void* context) {
  auto* launch = static_cast<Launch*>(context);
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction plain {};
    plain.sa_handler = SIG_DFL;
    sigaction(number, &plain, nullptr);  // the table is this process's own copy
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  setsid();
  if (launch->null >= 0) {
    for (int stream = 0; stream < 3; ++stream) dup2(launch->null, stream);
  }
  // dup2 onto itself would leave close-on-exec set.
  const int socket = launch->socket == helper::kSocketNumber ? dup(launch->socket) : launch->socket;
  dup2(socket, helper::kSocketNumber);
  syscall(SYS_close_range, helper::kSocketNumber + 1, ~0U, 0);
  char* const arguments[] = {const_cast<char*>(launch->program), nullptr};
  execve(launch->program, arguments, environ);
  launch->error = errno;
  _exit(127);
}

LANEWISE_UNINSTRUMENTED int intermediate_main(void* context) {
  auto* launch = static_cast<Launch*>(context);
  if (clone(helper_main, launch->helper_stack + kStackBytes, kVforkFlags, launch) < 0) launch->error = errno;
  _exit(0);
}

/// Signals stay blocked around the clones: a handler must not run in a child that shares this memory.
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
    const int intermediate = clone(intermediate_main, static_cast<char*>(stacks) + kStackBytes, kVforkFlags, &launch);
    made = intermediate >= 0;
    while (made && waitpid(intermediate, nullptr, __WCLONE) < 0 && errno == EINTR) {
    }
  }
  munmap(stacks, 2 * kStackBytes);
  return made && launch.error == 0;
}

}  // namespace

file::Descriptor start_helper(const std::string& program) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return {};
  file::Descriptor ours(ends[0]);
  const file::Descriptor theirs(ends[1]);
  const file::Descriptor null(config().debug.bits == 0 ? open("/dev/null", O_RDWR | O_CLOEXEC) : -1);
  Launch launch{program.c_str(), theirs.get(), null.get(), nullptr, 0};
  return run_launch(launch) ? std::move(ours) : file::Descriptor();
}

}  // namespace lanewise

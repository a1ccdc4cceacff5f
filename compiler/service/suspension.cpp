// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/service/suspension.h"

#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

namespace lanewise {

namespace {

/// Ignored where there is no handler, and used neither by LLVM nor by the C library.
constexpr int kSignal = SIGURG;

thread_local Suspension* t_suspension = nullptr;

}  // namespace

void Suspension::prepare() {
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(kSignal, &action, nullptr);
}

void Suspension::enter() {
  t_suspension = this;
  thread_.store(static_cast<pid_t>(syscall(SYS_gettid)));
  wait();
}

void Suspension::suspend() {
  if (suspended_.exchange(1) != 0) return;
  // One that enters later sees the flag. Of a number that another thread has by now nothing follows: it looks at its
  // own flag.
  if (const pid_t thread = thread_.load(); thread != 0) syscall(SYS_tgkill, getpid(), thread, kSignal);
}

void Suspension::resume() {
  if (suspended_.exchange(0) != 0) syscall(SYS_futex, &suspended_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

void Suspension::on_signal(int /*number*/) {
  const int error = errno;
  if (t_suspension != nullptr) t_suspension->wait();
  errno = error;
}

void Suspension::wait() {
  while (suspended_.load() != 0) {
    if (syscall(SYS_futex, &suspended_, FUTEX_WAIT_PRIVATE, 1, nullptr, nullptr, 0) != 0 && errno != EAGAIN &&
        errno != EINTR)
      return;
  }
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/isolation/crash_recovery.h"

#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>

#include "src/base/mutex.h"

namespace lanewise {

/// A thread's alternate signal stack begins with this. The handler receives its thread's alternate stack, and so knows
/// without thread-local variables, whose first use may allocate, whether the thread is one of ours.
struct CrashFrame::Stack {
  std::uint64_t magic;
  CrashFrame* innermost;
};

namespace {

constexpr std::array<int, 6> kSignals = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};
constexpr std::size_t kStackBytes = std::size_t{27} * 4096;  ///< an unusual size, so that the stack is recognised
constexpr std::uint64_t kStackMagic = 0x4c57'6372'6173'6821;

/// The handlers of the process that ours replace.
struct Handlers {
  Mutex mutex;
  unsigned users GUARDED_BY(mutex) = 0;
  std::array<bool, kSignals.size()> installed GUARDED_BY(mutex){};
  std::array<struct sigaction, kSignals.size()>
      before{};  ///< written under the mutex, and read by the handler without it
};

constinit Handlers g_handlers;
constinit std::atomic<unsigned> g_armed{0};

sigset_t crash_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : kSignals) sigaddset(&set, signal);
  return set;
}

/// Does what would have happened without our handler.
void pass_on(int signal, siginfo_t* info, void* context) {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    if (kSignals[i] != signal) continue;
    const struct sigaction& before = g_handlers.before[i];
    const bool fault = info->si_code > 0;
    const bool plain = (before.sa_flags & SA_SIGINFO) == 0;
    if (plain && before.sa_handler == SIG_IGN && !fault) return;
    if (plain && (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN)) {
      // The faulting instruction runs again, so that the process ends with the true signal and address.
      struct sigaction standard{};
      standard.sa_handler = SIG_DFL;
      sigaction(signal, &standard, nullptr);
      if (!fault) raise(signal);
      return;
    }
    sigset_t blocked = before.sa_mask;
    if ((before.sa_flags & SA_NODEFER) == 0) sigaddset(&blocked, signal);
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, &blocked, &mask);
    plain ? before.sa_handler(signal) : before.sa_sigaction(signal, info, context);
    pthread_sigmask(SIG_SETMASK, &mask, nullptr);
    return;
  }
}

}  // namespace

CrashFrame::Stack* CrashFrame::own(const stack_t& stack) {
  if ((stack.ss_flags & SS_DISABLE) != 0 || stack.ss_size != kStackBytes || stack.ss_sp == nullptr) return nullptr;
  auto* const head = static_cast<Stack*>(stack.ss_sp);
  return head->magic == kStackMagic ? head : nullptr;
}

void CrashFrame::on_crash(int signal, siginfo_t* info, void* context) {
  Stack* const stack = own(static_cast<const ucontext_t*>(context)->uc_stack);
  // A fault of this thread's code, or its own abort(), but not a signal that another process sends.
  const bool crash = info->si_code > 0 || (info->si_code == SI_TKILL && info->si_pid == getpid());
  if (stack == nullptr || stack->innermost == nullptr || !crash) return pass_on(signal, info, context);
  CrashFrame* const frame = stack->innermost;
  frame->signal_ = signal;
  std::longjmp(frame->point_, 1);  // NOLINT(cert-err52-cpp): there is no other way out of a fault
}

CrashFrame::CrashFrame(std::jmp_buf& point) : point_(point) {
  if (g_armed.load(std::memory_order_relaxed) == 0) return;
  stack_t current{};
  if (sigaltstack(nullptr, &current) != 0) return;
  stack_ = own(current);
  if (stack_ != nullptr) {
    outer_ = stack_->innermost;
    stack_->innermost = this;
    return;
  }
  void* const memory =
      mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return;
  auto* const made = static_cast<Stack*>(memory);
  *made = {kStackMagic, this};
  const stack_t ours{.ss_sp = memory, .ss_flags = 0, .ss_size = kStackBytes};
  if (sigaltstack(&ours, &before_) != 0) {
    munmap(memory, kStackBytes);
    return;
  }
  stack_ = made;
  // A fault whose signal is blocked ends the process, even where it has a handler.
  const sigset_t wanted = crash_signals();
  pthread_sigmask(SIG_UNBLOCK, &wanted, &mask_);
}

CrashFrame::~CrashFrame() {
  if (stack_ == nullptr) return;
  stack_->innermost = outer_;
  if (outer_ != nullptr) return;
  pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  sigaltstack(&before_, nullptr);
  munmap(stack_, kStackBytes);
}

CrashRecovery::CrashRecovery() {
  Handlers& handlers = g_handlers;
  const MutexLock lock(handlers.mutex);
  g_armed.fetch_add(1, std::memory_order_relaxed);
  if (handlers.users++ != 0) return;
  struct sigaction ours{};
  ours.sa_sigaction = CrashFrame::on_crash;
  // Not deferred: the handler is left by a jump, which keeps the signal mask as it is.
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    if (handlers.installed[i]) continue;  // still installed, below a handler that others have installed later
    sigaction(kSignals[i], nullptr, &handlers.before[i]);
    handlers.installed[i] = sigaction(kSignals[i], &ours, nullptr) == 0;
  }
}

CrashRecovery::~CrashRecovery() {
  Handlers& handlers = g_handlers;
  const MutexLock lock(handlers.mutex);
  g_armed.fetch_sub(1, std::memory_order_relaxed);
  if (--handlers.users != 0) return;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction now{};
    sigaction(kSignals[i], nullptr, &now);
    // A handler that was installed later may call ours: then ours stays, and passes every signal on.
    if (!handlers.installed[i] || (now.sa_flags & SA_SIGINFO) == 0 || now.sa_sigaction != CrashFrame::on_crash)
      continue;
    sigaction(kSignals[i], &handlers.before[i], nullptr);
    handlers.installed[i] = false;
  }
}

}  // namespace lanewise

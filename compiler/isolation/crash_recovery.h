// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A crash of the compiler as a return value, where the compiler runs in the application's process.
///
/// LLVM has a `CrashRecoveryContext`, but it never restores the process's handlers, it passes signals that are not its
/// own on by a `raise` that loses the address of the fault, and it does not survive a stack overflow.
#pragma once

#include <csetjmp>
#include <csignal>

namespace lanewise {

/// While one exists, a crash (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT) of a thread inside `run_guarded` ends
/// only that body. Crashes of other threads go to the handlers that were installed before; these are restored when the
/// last `CrashRecovery` is destroyed. What a crashed body held (memory, descriptors) is lost.
class CrashRecovery {
 public:
  CrashRecovery();
  ~CrashRecovery();
  CrashRecovery(const CrashRecovery&) = delete;
  CrashRecovery& operator=(const CrashRecovery&) = delete;
};

/// The place at which this thread continues after a crash in one guarded body: `point`, reached by longjmp. Does
/// nothing unless a `CrashRecovery` exists. Frames of a thread nest.
class CrashFrame {
 public:
  explicit CrashFrame(std::jmp_buf& point);
  ~CrashFrame();
  CrashFrame(const CrashFrame&) = delete;
  CrashFrame& operator=(const CrashFrame&) = delete;

  /// The signal that ended the body, or 0.
  [[nodiscard]] int signal() const { return signal_; }

 private:
  struct Stack;
  static Stack* own(const stack_t& stack);
  static void on_crash(int signal, siginfo_t* info, void* context);
  friend class CrashRecovery;

  std::jmp_buf& point_;
  volatile std::sig_atomic_t signal_ = 0;
  Stack* stack_ = nullptr;       ///< alternate signal stack of this thread; null if nothing is armed
  CrashFrame* outer_ = nullptr;  ///< the frame around this one; null if this one has made the stack
  stack_t before_{};             ///< alternate stack of the thread before this frame
  sigset_t mask_{};              ///< signal mask of the thread before this frame
};

}  // namespace lanewise

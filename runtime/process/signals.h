// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <pthread.h>

#include <csignal>

namespace lanewise {

/// Blocks signals in the calling thread while the object exists, and forever in threads that the calling thread creates
/// meanwhile: the application's handlers must run on the application's threads only.
class BlockSignals {
 public:
  BlockSignals() { block(&saved_); }
  ~BlockSignals() { pthread_sigmask(SIG_SETMASK, &saved_, nullptr); }
  BlockSignals(const BlockSignals&) = delete;
  BlockSignals& operator=(const BlockSignals&) = delete;

  /// Blocks signals in the calling thread, which is one of the driver's, forever.
  static void for_good() { block(nullptr); }

 private:
  static void block(sigset_t* before) {
    sigset_t all;
    sigfillset(&all);
    // Faults must reach the faulting thread in any case.
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&all, fault);
    pthread_sigmask(SIG_SETMASK, &all, before);
  }

  sigset_t saved_{};
};

}  // namespace lanewise

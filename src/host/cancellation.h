// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// pthread_cancel() and code that is not written for it.
#pragma once

#include <pthread.h>

namespace lanewise::host {

/// While one exists, a cancellation of this thread waits. glibc cancels by unwinding the stack from within any call
/// that may wait, which would leave in the middle of what the driver does, and ends the process at the first
/// `noexcept`. The thread is cancelled where the application calls something cancellable next. Costs two atomic
/// operations.
class CancellationHeld {
 public:
  CancellationHeld() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~CancellationHeld() { pthread_setcancelstate(before_, nullptr); }
  CancellationHeld(const CancellationHeld&) = delete;
  CancellationHeld& operator=(const CancellationHeld&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace lanewise::host

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Protection from pthread_cancel() for code that is not written for it.
#pragma once

#include <pthread.h>

namespace lanewise::host {

/// As long as this object exists, a cancellation of this thread is delayed. glibc cancels by unwinding the stack from
/// any call that may wait, which would leave the driver in the middle of something, and ends the process at the first
/// `noexcept`. The thread is cancelled at the application's next cancellation point. Costs two atomic operations.
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

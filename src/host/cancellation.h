// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Protection from pthread_cancel() for code that does not expect it.
#pragma once

#include <pthread.h>

namespace lanewise::host {

/// Delays a cancellation of this thread while the object exists, until the application's next cancellation point. glibc
/// cancels by unwinding the stack from any call that may wait, which would interrupt the driver and end the process at
/// the first `noexcept`. Costs two atomic operations.
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

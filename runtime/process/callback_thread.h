// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The thread that runs the application's event callbacks, so that they may take long and call the API, and no lock of
/// the driver is held while they run.
#pragma once

namespace lanewise {

/// Something to run once on the callback thread. Deletes itself in `run`.
class CallbackJob {
 public:
  virtual void run() noexcept = 0;

 protected:
  CallbackJob() = default;
  virtual ~CallbackJob() = default;

 private:
  friend class CallbackThread;
  CallbackJob* next_ = nullptr;
};

/// Queues a job; jobs run one after the other in this order. The thread starts with the first job and is never joined.
/// If it cannot be created, jobs run on a thread that posts one, still one after the other; the next job tries again.
void post_callback(CallbackJob& job);

}  // namespace lanewise

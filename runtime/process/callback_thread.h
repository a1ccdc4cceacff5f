// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The thread that runs the application's event callbacks, so that they may take long and call the API, and no lock of
/// the driver is held while they run.
#pragma once

#include <utility>

namespace lanewise {

/// Exists on the stack of a thread while it runs a callback of the application. What such a callback causes is posted
/// and never run inside of it: callbacks that each cause the next would nest without end.
class InsideCallback {
 public:
  InsideCallback() noexcept : outer_(std::exchange(inside_, true)) {}
  ~InsideCallback() { inside_ = outer_; }
  InsideCallback(const InsideCallback&) = delete;
  InsideCallback& operator=(const InsideCallback&) = delete;

  /// Whether this thread runs a callback at the moment.
  [[nodiscard]] static bool here() noexcept { return inside_; }

 private:
  static inline constinit thread_local bool inside_ = false;
  const bool outer_;
};

/// Something to run once on the callback thread. Deletes itself in `run`.
class CallbackJob {
 public:
  virtual void run() noexcept = 0;

 protected:
  CallbackJob() = default;
  virtual ~CallbackJob() = default;

 private:
  friend class CallbackThread;
  CallbackJob* next_ = nullptr;  ///< in the queue of jobs
};

/// Queues a job; jobs run one after the other in this order. The thread starts with the first job and is never joined.
/// If it cannot be created, jobs run on a thread that posts one, still one after the other; the next job tries again.
void post_callback(CallbackJob& job);

}  // namespace lanewise

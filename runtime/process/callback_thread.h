// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The thread that runs the application's event callbacks. They may take long and call the API, and no lock of the
/// driver is held while they run.
#pragma once

#include <utility>

namespace lanewise {

/// Marks the calling thread, while the object exists, as one that runs a callback of the application. A callback that
/// the running one causes is posted instead of run inside it: callbacks that each cause the next would nest without
/// end.
class InsideCallback {
 public:
  InsideCallback() noexcept : outer_(std::exchange(inside_, true)) {}
  ~InsideCallback() { inside_ = outer_; }
  InsideCallback(const InsideCallback&) = delete;
  InsideCallback& operator=(const InsideCallback&) = delete;

  /// Whether this thread runs a callback now.
  [[nodiscard]] static bool here() noexcept { return inside_; }

 private:
  static inline constinit thread_local bool inside_ = false;
  const bool outer_;
};

/// A job that runs once on the callback thread. `run` deletes it.
class CallbackJob {
 public:
  virtual void run() noexcept = 0;

 protected:
  CallbackJob() = default;
  virtual ~CallbackJob() = default;

 private:
  friend class CallbackThread;
  CallbackJob* next_ = nullptr;  ///< the next one in the queue of jobs
};

/// Queues a job. Jobs run one after the other, in the order of the calls. The thread starts with the first job and is
/// never joined. If it cannot be created, jobs run on a thread that posts one, still one after the other, and the next
/// job tries to create the thread again.
void post_callback(CallbackJob& job);

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A payload that semaphores of other contexts and processes can share by a handle.
///
/// The first wait that finds no signal starts the payload's thread. It sleeps until there is a signal for a wait of
/// this process, and completes the wait. While there are such waits, the thread also checks ten times a second whether
/// a process that shares the payload has ended without releasing its semaphore. From then on all waits without a signal
/// fail: the lost process may be the one that would have signalled, and an error is better than a wait without end.
#pragma once

#include <memory>

#include "runtime/semaphore/payload.h"
#include "runtime/semaphore/shared_state.h"
#include "src/base/mutex.h"
#include "src/base/result.h"

namespace lanewise {

class SharedPayload final : public Payload, public std::enable_shared_from_this<SharedPayload> {
 public:
  /// Creates a payload. Errors: CL_OUT_OF_RESOURCES. May throw std::bad_alloc.
  static Result<std::shared_ptr<SharedPayload>> create();
  /// Opens the payload of a handle, which the caller keeps. Errors: as for SharedState::open.
  static Result<std::shared_ptr<SharedPayload>> import(int handle);

  /// A new handle (SharedState::handle).
  [[nodiscard]] Result<int> handle() const { return state_.handle(); }
  /// Ends the payload's thread; called when the semaphore is destroyed, and so has no waits.
  void close() noexcept;

 private:
  explicit SharedPayload(SharedState state) : state_(std::move(state)) {}

  void keep_signal() override { state_.keep_signal(); }
  bool take_signal() override { return state_.take_signal(); }
  void add_level(int change) override { state_.add_level(change); }
  [[nodiscard]] std::int64_t level() const override { return state_.level(); }
  bool can_wait() override;
  void wait_has_come() override;

  /// The body of the thread: serves waits until the payload is closed.
  void serve_waits();
  /// Sleeps until there are waits. False: the payload has been closed.
  bool sleep_without_waits();
  void lose();

  SharedState state_;
  Mutex mutex_;  ///< innermost
  ConditionVariable called_;
  bool has_thread_ GUARDED_BY(mutex_) = false;
  bool has_waits_ GUARDED_BY(mutex_) = false;  ///< the thread has to look for waits
  bool closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace lanewise

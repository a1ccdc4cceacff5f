// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A payload that has a handle, by which semaphores of other contexts and processes can share it.
///
/// If a process ends without having released its semaphore, all waits without a signal fail from then on: that process
/// may be the one that would have signalled, and an error is better than a wait without end.
#pragma once

#include <memory>

#include "runtime/semaphore/payload.h"
#include "runtime/semaphore/semaphore_thread.h"
#include "runtime/semaphore/shared_state.h"
#include "src/base/result.h"

namespace lanewise {

class SharedPayload final : public Payload, public std::enable_shared_from_this<SharedPayload> {
 public:
  /// Errors: CL_OUT_OF_RESOURCES. May throw std::bad_alloc.
  static Result<std::shared_ptr<SharedPayload>> create();
  /// The payload behind a handle, which the caller keeps. Errors: as SharedState::open.
  static Result<std::shared_ptr<SharedPayload>> import(int handle);

  /// As SharedState::handle.
  [[nodiscard]] Result<int> handle() const { return state_.handle(); }
  /// Called when its semaphore is destroyed.
  void close() noexcept;

 private:
  explicit SharedPayload(SharedState state) : state_(std::move(state)) {}
  static Result<std::shared_ptr<SharedPayload>> joined(SharedState state);

  void keep_signal() override { state_.keep_signal(); }
  bool take_signal() override { return state_.take_signal(); }
  void add_level(int change) override { state_.level().fetch_add(change, std::memory_order_relaxed); }
  [[nodiscard]] std::int64_t level() const override { return state_.level().load(std::memory_order_relaxed); }
  void wait_has_come() override;

  SharedState state_;

  friend class SemaphoreThread;
  SemaphoreRequest request_;
  bool watched_ = false;  ///< used by that thread only
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/semaphore/shared_payload.h"

#include <chrono>
#include <exception>
#include <thread>
#include <utility>

#include "runtime/process/fork_guard.h"
#include "runtime/process/thread.h"

namespace lanewise {

namespace {

using Clock = std::chrono::steady_clock;

/// Keeps a thread from spinning if others wake it all the time for nothing.
class WakeLimit {
 public:
  void woken_for_nothing() {
    const auto now = Clock::now();
    if (now - since_ > kPause) {
      since_ = now;
      count_ = 0;
    }
    if (++count_ >= kMost) std::this_thread::sleep_for(kPause);
  }

 private:
  static constexpr int kMost = 8;
  static constexpr std::chrono::milliseconds kPause{1};
  Clock::time_point since_;
  int count_ = 0;
};

}  // namespace

Result<std::shared_ptr<SharedPayload>> SharedPayload::create() {
  watch_for_fork();  // a child would have no place
  auto state = SharedState::create();
  if (!state.ok()) return state.error();
  return std::shared_ptr<SharedPayload>(new SharedPayload(std::move(state).value()));
}

Result<std::shared_ptr<SharedPayload>> SharedPayload::import(int handle) {
  watch_for_fork();
  auto state = SharedState::open(handle);
  if (!state.ok()) return state.error();
  return std::shared_ptr<SharedPayload>(new SharedPayload(std::move(state).value()));
}

bool SharedPayload::can_wait() {
  const MutexLock lock(mutex_);
  if (!has_thread_) has_thread_ = start_detached([self = shared_from_this()] { self->serve_waits(); });
  return has_thread_;
}

void SharedPayload::wait_has_come() {
  const MutexLock lock(mutex_);
  has_waits_ = true;
  called_.notify_one();
}

void SharedPayload::close() noexcept {
  if (in_forked_child()) return;
  state_.leave();
  const MutexLock lock(mutex_);
  closed_ = true;
  called_.notify_one();
}

bool SharedPayload::sleep_without_waits() {
  const MutexLock lock(mutex_);
  while (!has_waits_ && !closed_) called_.wait(mutex_);
  has_waits_ = false;
  return !closed_;
}

void SharedPayload::lose() {
  (void)serve();
  try {
    fail(CL_OUT_OF_RESOURCES);
  } catch (const std::exception&) {
    return;  // no memory now; the next look tries again
  }
}

void SharedPayload::serve_waits() {
  WakeLimit limit;
  while (sleep_without_waits()) {
    Clock::time_point last_look;
    for (;;) {
      const std::uint32_t seen = state_.changes();
      const Served served = serve();
      if (served == Served::all) break;
      if (const auto now = Clock::now(); now - last_look >= SharedState::kLongestSleep) {
        last_look = now;
        if (state_.somebody_is_lost()) {
          lose();
          continue;
        }
      } else if (served == Served::none) {
        limit.woken_for_nothing();
      }
      state_.sleep(seen);
    }
  }
}

}  // namespace lanewise

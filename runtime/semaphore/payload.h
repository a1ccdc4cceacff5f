// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The payload of one or more binary semaphores: signals, and the waits for them.
///
/// A wait is a user event, on which the wait command depends besides its wait list. An enqueued wait is in a list. When
/// a signal command runs, it completes the oldest wait, or its signal is kept for the next wait. The n-th signal thus
/// belongs to the n-th wait, a semaphore may be signalled again as soon as a wait for it has been enqueued, and no
/// thread blocks in a wait.
#pragma once

#include <CL/cl.h>

#include <cstdint>
#include <deque>

#include "runtime/core/context.h"
#include "runtime/exec/user_event.h"
#include "runtime/object/object.h"
#include "src/base/mutex.h"
#include "src/base/result.h"

namespace lanewise {

/// The payload. Derived classes store the kept signals and the level.
class Payload {
 public:
  Payload() = default;
  Payload(const Payload&) = delete;
  Payload& operator=(const Payload&) = delete;
  virtual ~Payload() = default;

  /// Whether the semaphore is signalled: a signal command has run, and no wait command after it.
  [[nodiscard]] bool signalled() const;
  /// Adds a signal; called when a signal command runs.
  void signal();
  /// Adds a wait. Its event ends with CL_COMPLETE when its signal runs. Errors: CL_OUT_OF_HOST_MEMORY,
  /// CL_OUT_OF_RESOURCES (forked child). May throw std::bad_alloc.
  Result<Ref<UserEvent>> wait(Context& context);
  /// Lowers the level; called when a wait command has run.
  void taken();
  /// Gives up a wait; called when its command will not run. If the wait has its signal already, the next wait gets it.
  void give_up(const UserEvent& wait);

 protected:
  /// The waits after `serve`.
  enum class Served {
    all,   ///< no waits are left
    some,  ///< waits are left, and others have got their signal
    none,  ///< waits are left, and none has got a signal
  };
  /// Completes waits as long as there are signals.
  Served serve();
  /// Ends all waits without a signal with this error. Called by one thread at a time.
  void fail(cl_int status);

 private:
  // The kept signals, which no wait has taken, and the level: the number of signals minus the number of waits that have
  // run. Called under the lock of the payload.
  virtual void keep_signal() = 0;
  [[nodiscard]] virtual bool take_signal() = 0;
  virtual void add_level(int change) = 0;
  [[nodiscard]] virtual std::int64_t level() const = 0;
  // Called without the lock: `can_wait` before a wait is added (false: it cannot be), `wait_has_come` after a wait
  // without a signal has been added.
  virtual bool can_wait() { return true; }
  virtual void wait_has_come() {}

  mutable Mutex mutex_;                                    ///< innermost; only the functions above are called under it
  std::deque<Ref<UserEvent>> waits_ GUARDED_BY(mutex_);    ///< waits of this process without a signal, oldest first
  std::deque<Ref<UserEvent>> failing_ GUARDED_BY(mutex_);  ///< waits that `fail` is about to end
};

/// The payload of semaphores that are not shared with other contexts or processes.
class OwnPayload final : public Payload {
 private:
  void keep_signal() override { ++kept_; }
  bool take_signal() override {
    if (kept_ == 0) return false;
    --kept_;
    return true;
  }
  void add_level(int change) override { level_ += change; }
  [[nodiscard]] std::int64_t level() const override { return level_; }

  std::uint64_t kept_ = 0;
  std::int64_t level_ = 0;
};

}  // namespace lanewise

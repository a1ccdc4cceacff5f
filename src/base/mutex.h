// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A mutex whose rules the compiler checks (thread_safety.h), its lock, and a condition variable for both.
///
///     Mutex mutex_;
///     std::vector<Job> jobs_ GUARDED_BY(mutex_);
///
/// A mutex guards the lists of one object and is innermost: its holder takes no other one. None is held across a
/// compile, a callback, a kernel or the release of another object. Where two are held all the same, their order stands
/// beside the mutex (ACQUIRED_BEFORE, ACQUIRED_AFTER).
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <type_traits>

#include "src/base/thread_safety.h"

namespace lanewise {

class ConditionVariable;

class CAPABILITY("mutex") Mutex {
 public:
  constexpr Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() ACQUIRE() { mutex_.lock(); }
  [[nodiscard]] bool try_lock() TRY_ACQUIRE(true) { return mutex_.try_lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }

 private:
  friend class ConditionVariable;
  std::mutex mutex_;
};
static_assert(sizeof(Mutex) == sizeof(std::mutex));
static_assert(std::is_trivially_destructible_v<Mutex>, "threads may use it while the process ends");

/// Holds a mutex while the object exists, except between `unlock` and `lock`.
class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  /// Takes over a mutex that the caller has locked, by a function that may fail.
  MutexLock(Mutex& mutex, std::adopt_lock_t /*tag*/) REQUIRES(mutex) : mutex_(mutex) {}
  ~MutexLock() RELEASE() {
    if (holds_) mutex_.unlock();
  }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void unlock() RELEASE() {
    mutex_.unlock();
    holds_ = false;
  }
  void lock() ACQUIRE() {
    mutex_.lock();
    holds_ = true;
  }

 private:
  Mutex& mutex_;
  bool holds_ = true;
};

/// A std::condition_variable without predicates: the compiler does not know that these functions hold the mutex. Waits
/// may end without a reason.
class ConditionVariable {
 public:
  void wait(Mutex& mutex) REQUIRES(mutex) {
    Adopted lock(mutex);
    variable_.wait(lock.held);
  }
  template <class Clock, class Duration>
  void wait_until(Mutex& mutex, std::chrono::time_point<Clock, Duration> end) REQUIRES(mutex) {
    Adopted lock(mutex);
    variable_.wait_until(lock.held, end);
  }
  void notify_one() noexcept { variable_.notify_one(); }
  void notify_all() noexcept { variable_.notify_all(); }

 private:
  /// The caller's mutex in the form that std::condition_variable takes. The caller still holds it afterwards.
  struct Adopted {
    explicit Adopted(Mutex& mutex) : held(mutex.mutex_, std::adopt_lock) {}
    ~Adopted() { held.release(); }
    Adopted(const Adopted&) = delete;
    Adopted& operator=(const Adopted&) = delete;
    std::unique_lock<std::mutex> held;
  };
  std::condition_variable variable_;
};

}  // namespace lanewise

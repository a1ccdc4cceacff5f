// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/callback_thread.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include "runtime/process/fork_guard.h"
#include "runtime/process/thread.h"
#include "src/base/list.h"
#include "src/base/mutex.h"

namespace lanewise {

class CallbackThread {
 public:
  /// Never destroyed: the thread may be inside a callback when the process ends.
  static CallbackThread& instance() {
    static auto* thread = new CallbackThread;
    return *thread;
  }

  void post(CallbackJob& job) {
    MutexLock lock(mutex_);
    jobs_.push_back(job);
    posted_.store(true, std::memory_order_relaxed);
    if (started_ || start()) {
      changed_.notify_one();
      return;
    }
    // There is no callback thread, so one caller at a time runs the jobs. Jobs that callbacks post run afterwards, not
    // inside of them.
    if (lent_) return;
    lent_ = true;
    while (!jobs_.empty() && !started_) {
      Jobs jobs = take_jobs();
      lock.unlock();
      if (!run_all(jobs)) return;
      lock.lock();
    }
    lent_ = false;
    changed_.notify_one();
  }

 private:
  struct Next {
    static CallbackJob*& of(CallbackJob& job) { return job.next_; }
  };
  using Jobs = ForwardList<CallbackJob, Next>;

  bool start() REQUIRES(mutex_) {
    started_ = start_detached([this] { loop(); });
    return started_;
  }

  void loop() {
    MutexLock lock(mutex_);
    for (;;) {
      while (jobs_.empty() || lent_) changed_.wait(mutex_);
      Jobs jobs = take_jobs();
      lock.unlock();
      if (!run_all(jobs)) return;
      stay_awake();
      lock.lock();
    }
  }

  /// Callbacks often follow each other closely, since one causes the next command; waking up would cost more than both.
  void stay_awake() const {
    const auto end = std::chrono::steady_clock::now() + kAwake;
    while (!posted_.load(std::memory_order_relaxed) && std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
  }

  [[nodiscard]] Jobs take_jobs() REQUIRES(mutex_) {
    posted_.store(false, std::memory_order_relaxed);
    return std::exchange(jobs_, {});
  }

  /// False if a callback has forked and this is the child, whose only thread this is: the mutex must not be locked
  /// again.
  [[nodiscard]] bool run_all(Jobs& jobs) EXCLUDES(mutex_) {
    const InsideCallback inside;
    while (CallbackJob* job = jobs.pop()) {
      job->run();
      if (in_forked_child()) return false;
    }
    return true;
  }

  static constexpr std::chrono::microseconds kAwake{50};

  std::atomic<bool> posted_ = false;  ///< whether there may be a job; written under the mutex, read without it
  Mutex mutex_;                       ///< no callback runs under it
  ConditionVariable changed_;
  Jobs jobs_ GUARDED_BY(mutex_);
  bool started_ GUARDED_BY(mutex_) = false;
  bool lent_ GUARDED_BY(mutex_) = false;  ///< a thread that has posted a job runs the jobs at the moment
};

void post_callback(CallbackJob& job) {
  CallbackThread::instance().post(job);
}

}  // namespace lanewise

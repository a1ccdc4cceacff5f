// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/callback_thread.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "runtime/process/detached_thread.h"
#include "runtime/process/fork_guard.h"
#include "src/base/list.h"

namespace lanewise {

class CallbackThread {
 public:
  /// Never destroyed: the thread may be inside a callback when the process ends.
  static CallbackThread& instance() {
    static auto* thread = new CallbackThread;
    return *thread;
  }

  void post(CallbackJob& job) {
    std::unique_lock lock(mutex_);
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
    while (!jobs_.empty() && !started_)
      if (!run_all(lock)) return;
    lent_ = false;
    changed_.notify_one();
  }

 private:
  bool start() {
    started_ = start_detached([this] { loop(); });
    return started_;
  }

  void loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return !jobs_.empty() && !lent_; });
      if (!run_all(lock)) return;
      stay_awake(lock);
    }
  }

  /// Callbacks often follow each other closely, since one causes the next command; waking up would cost more than both.
  void stay_awake(std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    const auto end = std::chrono::steady_clock::now() + kAwake;
    while (!posted_.load(std::memory_order_relaxed) && std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
    lock.lock();
  }

  /// Runs the jobs that are in the list now, without the lock. False if a callback has forked and this is the child,
  /// whose only thread this is: the mutex is then not locked again.
  [[nodiscard]] bool run_all(std::unique_lock<std::mutex>& lock) {
    Jobs jobs = std::exchange(jobs_, {});
    posted_.store(false, std::memory_order_relaxed);
    lock.unlock();
    const InsideCallback inside;
    while (CallbackJob* job = jobs.pop()) {
      job->run();
      if (in_forked_child()) return false;
    }
    lock.lock();
    return true;
  }

  struct Next {
    static CallbackJob*& of(CallbackJob& job) { return job.next_; }
  };
  using Jobs = ForwardList<CallbackJob, Next>;

  static constexpr std::chrono::microseconds kAwake{50};

  std::atomic<bool> posted_ = false;  ///< whether there may be a job; written under the mutex, read without it
  std::mutex mutex_;                  ///< guards everything below; no callback runs under it
  std::condition_variable changed_;
  Jobs jobs_;
  bool started_ = false;
  bool lent_ = false;  ///< a thread that has posted a job runs the jobs at the moment
};

void post_callback(CallbackJob& job) {
  CallbackThread::instance().post(job);
}

}  // namespace lanewise

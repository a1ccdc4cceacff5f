// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/callback_thread.h"

#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "runtime/exec/fork_guard.h"
#include "runtime/exec/signals.h"

namespace lanewise {

class CallbackThread {
 public:
  /// Never destroyed: the thread may be inside a callback when the process ends.
  static CallbackThread& instance() {
    static auto* thread = new CallbackThread;
    return *thread;
  }

  void post(CallbackJob& job) {
    {
      const std::scoped_lock lock(mutex_);
      if (started_ || start()) {
        *tail_ = &job;
        tail_ = &job.next_;
        changed_.notify_one();
        return;
      }
    }
    job.run();
  }

 private:
  bool start() {
    watch_for_fork();
    const BlockSignals block;
    try {
      std::thread([this] { loop(); }).detach();
      started_ = true;
    } catch (const std::system_error&) {
    }
    return started_;
  }

  void loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return head_ != nullptr; });
      CallbackJob* job = std::exchange(head_, nullptr);
      tail_ = &head_;
      lock.unlock();
      while (job != nullptr) {
        CallbackJob* next = job->next_;
        job->run();
        job = next;
      }
      lock.lock();
    }
  }

  std::mutex mutex_;  ///< guards everything below; no callback runs under it
  std::condition_variable changed_;
  CallbackJob* head_ = nullptr;
  CallbackJob** tail_ = &head_;
  bool started_ = false;
};

void post_callback(CallbackJob& job) {
  CallbackThread::instance().post(job);
}

}  // namespace lanewise

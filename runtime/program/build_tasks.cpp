// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/build_tasks.h"

#include <algorithm>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "runtime/process/fork_guard.h"
#include "runtime/process/signals.h"

namespace lanewise {

namespace {

class BuildThreads {
 public:
  /// Never destroyed: a build may be under way while the process ends, and exit must not wait for it.
  static BuildThreads& instance() {
    static auto* threads = new BuildThreads;
    return *threads;
  }

  bool submit(std::function<void()> task) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(task));
    if (running_ == limit_ || start()) return true;
    if (running_ != 0) return true;  // a running task begins it when it ends
    waiting_.pop_back();
    return false;
  }

 private:
  /// One more thread; called under the lock, which it waits for first.
  bool start() {
    const BlockSignals blocked;
    try {
      std::thread([this] { work(); }).detach();
      ++running_;
    } catch (const std::exception&) {
      return false;
    }
    return true;
  }

  void work() {
    for (;;) {
      std::function<void()> task;
      {
        const std::lock_guard lock(mutex_);
        if (waiting_.empty()) {
          --running_;
          return;
        }
        task = std::move(waiting_.front());
        waiting_.pop_front();
      }
      task();
    }
  }

  const unsigned limit_ = std::max(1u, std::thread::hardware_concurrency());
  std::mutex mutex_;  ///< guards the rest; no task runs under it
  std::deque<std::function<void()>> waiting_;
  unsigned running_ = 0;
};

}  // namespace

bool run_in_background(std::function<void()> task) {
  watch_for_fork();
  return BuildThreads::instance().submit(std::move(task));
}

}  // namespace lanewise

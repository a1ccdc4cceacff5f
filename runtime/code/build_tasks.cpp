// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/build_tasks.h"

#include <algorithm>
#include <deque>
#include <thread>
#include <utility>

#include "runtime/process/fork_guard.h"
#include "runtime/process/thread.h"
#include "src/base/mutex.h"
#include "src/host/topology.h"

namespace lanewise {

namespace {

class BuildThreads {
 public:
  explicit BuildThreads(unsigned limit) : limit_(std::max(1u, limit)) {}

  /// Never destroyed: a build may be running while the process ends, and exit must not wait for it.
  static BuildThreads& of(Urgency urgency) {
    static const unsigned processors = host::usable_threads(std::thread::hardware_concurrency(), 0);
    static auto* awaited = new BuildThreads(processors);
    static auto* hidden = new BuildThreads(processors / 4);
    static auto* first_code = new BuildThreads(processors);
    if (urgency == Urgency::awaited) return *awaited;
    return urgency == Urgency::hidden ? *hidden : *first_code;
  }

  /// @param first  before all tasks that wait
  bool submit(std::function<void()> task, bool first) {
    const MutexLock lock(mutex_);
    waiting_.insert(first ? waiting_.begin() : waiting_.end(), std::move(task));
    if (running_ == limit_ || start()) return true;
    if (running_ != 0) return true;  // its thread takes this task when it has finished its own
    waiting_.clear();                // only this one: a thread ends when nothing waits
    return false;
  }

 private:
  /// Creates one more thread, which locks the mutex first.
  bool start() REQUIRES(mutex_) {
    if (!start_detached([this] { work(); })) return false;
    ++running_;
    return true;
  }

  void work() {
    for (;;) {
      std::function<void()> task;
      {
        const MutexLock lock(mutex_);
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

  const unsigned limit_;
  Mutex mutex_;  ///< no task runs under it
  std::deque<std::function<void()>> waiting_ GUARDED_BY(mutex_);
  unsigned running_ GUARDED_BY(mutex_) = 0;
};

}  // namespace

bool run_in_background(std::function<void()> task, Urgency urgency) {
  watch_for_fork();
  return BuildThreads::of(urgency).submit(std::move(task), urgency == Urgency::wanted);
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/build_tasks.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <thread>
#include <utility>

#include "runtime/process/fork_guard.h"
#include "runtime/process/thread.h"
#include "src/base/mutex.h"
#include "src/host/topology.h"

namespace lanewise {

namespace {

unsigned processors() {
  static const unsigned count = host::usable_threads(std::thread::hardware_concurrency(), 0);
  return count;
}

/// How many threads make first code.
constinit std::atomic<unsigned> g_first_code{0};

/// Threads of one kind of tasks.
class BuildThreads {
 public:
  /// @param limit       the largest number of them
  /// @param first_code  they make first code
  /// @param unheeding   so many of them begin with a task at once, and the others while no kernel runs
  BuildThreads(unsigned limit, bool first_code, unsigned unheeding)
      : limit_(std::max(1u, limit)), first_code_(first_code), unheeding_(unheeding) {}

  /// Never destroyed: a build may be running while the process ends, and exit must not wait for it.
  static BuildThreads& of(Urgency urgency) {
    static const unsigned all = processors();
    static auto* awaited = new BuildThreads(all, false, all);
    static auto* hidden = new BuildThreads(all / 4, false, all);
    static auto* asked = new BuildThreads(all, true, spared_by_kernels());
    static auto* wanted = new BuildThreads(all, true, all);
    if (urgency == Urgency::awaited) return *awaited;
    if (urgency == Urgency::hidden) return *hidden;
    return urgency == Urgency::asked ? *asked : *wanted;
  }

  bool submit(std::function<void()> task, LookAtKernels look) {
    const MutexLock lock(mutex_);
    if (look != nullptr) look_ = look;
    waiting_.push_back(std::move(task));
    if (running_ == limit_ || holds_back_ || start()) return true;
    if (running_ != 0) return true;  // its thread takes this task when it has finished its own
    waiting_.clear();                // only this one: a thread ends when nothing waits
    return false;
  }

 private:
  /// How long a thread that holds back waits before it looks again whether a processor is free.
  static constexpr std::chrono::milliseconds kPause{5};

  /// Creates one more thread, which locks the mutex first.
  bool start() REQUIRES(mutex_) {
    if (!start_detached([this] { work(); })) return false;
    ++running_;
    return true;
  }

  /// Between two launches no kernel runs for some microseconds; commands since the last look tell that more will come.
  [[nodiscard]] bool may_begin() REQUIRES(mutex_) {
    if (at_work_ < unheeding_) return true;
    const Kernels kernels = look_ != nullptr ? look_() : Kernels();
    const bool quiet = std::exchange(commands_, kernels.commands) == kernels.commands && !kernels.run;
    return quiet && g_first_code.load(std::memory_order_relaxed) < processors();
  }

  /// The next task; empty: the thread ends, because there is none or because another thread holds back already.
  std::function<void()> take() {
    MutexLock lock(mutex_);
    while (!waiting_.empty() && !holds_back_ && !may_begin()) {
      holds_back_ = true;
      lock.unlock();
      std::this_thread::sleep_for(kPause);
      lock.lock();
      holds_back_ = false;
    }
    if (waiting_.empty() || holds_back_) {
      --running_;
      return {};
    }
    std::function<void()> task = std::move(waiting_.front());
    waiting_.pop_front();
    ++at_work_;
    if (first_code_) g_first_code.fetch_add(1, std::memory_order_relaxed);
    // Those that ended because this one held back.
    if (!waiting_.empty() && running_ < limit_) (void)start();
    return task;
  }

  void work() {
    while (const auto task = take()) {
      task();
      if (first_code_) g_first_code.fetch_sub(1, std::memory_order_relaxed);
      const MutexLock lock(mutex_);
      --at_work_;
    }
  }

  const unsigned limit_;
  const bool first_code_;
  const unsigned unheeding_;
  Mutex mutex_;  ///< no task runs under it
  std::deque<std::function<void()>> waiting_ GUARDED_BY(mutex_);
  unsigned running_ GUARDED_BY(mutex_) = 0;  ///< threads
  unsigned at_work_ GUARDED_BY(mutex_) = 0;  ///< threads that run a task
  LookAtKernels look_ GUARDED_BY(mutex_) = nullptr;
  std::uint64_t commands_ GUARDED_BY(mutex_) = 0;  ///< at the last look
  bool holds_back_ GUARDED_BY(mutex_) = false;     ///< a thread waits for a processor; the others end meanwhile
};

}  // namespace

unsigned spared_by_kernels() {
  return processors() / 4;
}

bool run_in_background(std::function<void()> task, Urgency urgency, LookAtKernels look) {
  watch_for_fork();
  return BuildThreads::of(urgency).submit(std::move(task), look);
}

}  // namespace lanewise

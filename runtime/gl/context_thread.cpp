// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/gl/context_thread.h"

#include <CL/cl.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "runtime/process/fork_guard.h"
#include "runtime/process/thread.h"

namespace lanewise::gl {

namespace {

constexpr std::chrono::microseconds kShortestPause{50};
constexpr std::chrono::microseconds kLongestPause{5'000};

/// Keeps threads out of OpenGL while the process ends: EGL frees its displays at exit, whoever uses them.
class Exit {
 public:
  /// Marks that a thread may be in OpenGL, while the object exists.
  class Inside {
   public:
    Inside() { ++inside_; }
    ~Inside() { --inside_; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    /// Whether OpenGL must not be called any more.
    [[nodiscard]] static bool too_late() { return leaving_; }
  };

  /// Called after OpenGL has registered what it does at exit, so that this comes before.
  static void watch() {
    static const int registered = std::atexit(&leave);
    static_cast<void>(registered);
  }

 private:
  /// Waits for what threads do, but not for long.
  static void leave() {
    if (in_forked_child()) return;
    leaving_ = true;
    constexpr int kPatienceMs = 1'000;
    for (int ms = 0; inside_ != 0 && ms < kPatienceMs; ++ms) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  static inline constinit std::atomic<int> inside_{0};
  static inline constinit std::atomic<bool> leaving_{false};
};

}  // namespace

Result<std::shared_ptr<ContextThread>> ContextThread::start(std::unique_ptr<Binding> binding) {
  std::shared_ptr<ContextThread> made(new ContextThread(std::move(binding)));
  const bool started = start_detached([self = made] {
    here_ = self.get();
    self->loop();
    here_ = nullptr;
  });
  if (!started) return Error{CL_OUT_OF_RESOURCES, "no thread for a context of OpenGL"};
  Result<void> opened;
  made->call([&](const Functions*) {
    opened = made->binding_->open();
    made->gone_ = !opened.ok();
    if (made->gone_) return;
    Exit::watch();
    // Images have no padding.
    made->binding_->functions().PixelStorei(GL_PACK_ALIGNMENT, 1);
    made->binding_->functions().PixelStorei(GL_UNPACK_ALIGNMENT, 1);
  });
  if (opened.ok()) return made;
  made->close();
  return opened.error();
}

void ContextThread::post(ContextJob& job) noexcept {
  {
    const MutexLock lock(mutex_);
    if (!ended_) {
      jobs_.push_back(job);
      changed_.notify_one();
      return;
    }
  }
  job.run(nullptr);
}

void ContextThread::lose() {
  call([this](const Functions* gl) {
    if (gl == nullptr) return;
    abandoned_ = held_ != 0;
    if (abandoned_) return;
    binding_->close();
    gone_ = true;
  });
}

void ContextThread::close() {
  if (in_forked_child()) return;  // which does not have the thread
  MutexLock lock(mutex_);
  closing_ = true;
  changed_.notify_one();
  if (is_here()) return;
  while (!ended_) called_.wait(mutex_);
}

bool ContextThread::sleep() {
  while (jobs_.empty()) {
    if (closing_) return false;
    if (pending_.empty()) {
      changed_.wait(mutex_);
    } else {
      changed_.wait_until(mutex_, std::chrono::steady_clock::now() + pause_);
      return true;
    }
  }
  return true;
}

void ContextThread::ask_pending() {
  const std::size_t before = pending_.size();
  std::erase_if(pending_, [this](const auto& pending) { return pending->come(functions()); });
  pause_ = pending_.size() == before ? std::min(std::max(2 * pause_, kShortestPause), kLongestPause) : kShortestPause;
}

void ContextThread::loop() {
  MutexLock lock(mutex_);
  while (sleep()) {
    ContextJob* job = jobs_.pop();
    lock.unlock();
    {
      const Exit::Inside inside;
      gone_ = gone_ || Exit::Inside::too_late();
      const std::size_t before = pending_.size();
      if (job != nullptr) job->run(functions());
      if (job == nullptr) ask_pending();
      if (pending_.size() > before) pause_ = kShortestPause;
    }
    lock.lock();
  }
  lock.unlock();
  {
    const Exit::Inside inside;
    if (!gone_ && !abandoned_ && !Exit::Inside::too_late()) binding_->close();
  }
  lock.lock();
  ended_ = true;
  called_.notify_all();
  // The end of a thread ends what it has current, and what is left of this context must not be touched.
  while (abandoned_) changed_.wait(mutex_);
}

}  // namespace lanewise::gl

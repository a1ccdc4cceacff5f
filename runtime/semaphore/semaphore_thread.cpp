// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/semaphore/semaphore_thread.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/process/detached_thread.h"
#include "runtime/semaphore/shared_payload.h"
#include "src/file/file.h"

namespace lanewise {

class SemaphoreThread {
 public:
  /// Never destroyed, because the thread never ends.
  static SemaphoreThread& instance() {
    static auto* thread = new SemaphoreThread;
    return *thread;
  }

  bool join(SharedPayload& payload) {
    std::unique_lock lock(mutex_);
    if (!started_ && !start()) return false;
    auto& request = payload.request_;
    request.join = SemaphoreRequest::Join::wanted;
    enlist(payload);
    answered_.wait(lock, [&] { return request.join != SemaphoreRequest::Join::wanted; });
    return request.join == SemaphoreRequest::Join::done;
  }

  void post(SharedPayload& payload, bool SemaphoreRequest::* what) {
    const std::scoped_lock lock(mutex_);
    payload.request_.*what = true;
    enlist(payload);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kLook{100};

  bool start() {
    epoll_ = file::Descriptor(epoll_create1(EPOLL_CLOEXEC));
    wake_ = file::Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    epoll_event readable{EPOLLIN, {nullptr}};
    if (!epoll_ || !wake_ || epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_.get(), &readable) != 0) return false;
    started_ = start_detached([this] { loop(); });
    return started_;
  }

  /// Called under the lock.
  void enlist(SharedPayload& payload) {
    auto& request = payload.request_;
    if (request.keep == nullptr) {
      request.keep = payload.shared_from_this();
      (last_ != nullptr ? last_->request_.next : first_) = &payload;
      last_ = &payload;
    }
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(wake_.get(), &one, sizeof one);
  }

  void loop() {
    auto last_look = Clock::now();
    for (;;) {
      std::array<epoll_event, 16> events{};
      const int timeout = watched_count_ == 0 ? -1 : static_cast<int>(kLook.count());
      const int count = epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), timeout);
      for (int i = 0; i < count; ++i) {
        if (events[i].data.ptr == nullptr) continue;
        attend(*static_cast<SharedPayload*>(events[i].data.ptr));
      }
      // Payloads are removed only here, so those of the events above still existed.
      take_requests();
      if (const auto now = Clock::now(); watched_count_ != 0 && now - last_look >= kLook) {
        last_look = now;
        look_for_losses();
      }
    }
  }

  void take_requests() {
    std::uint64_t ignored = 0;
    [[maybe_unused]] const ssize_t got = read(wake_.get(), &ignored, sizeof ignored);
    for (;;) {
      std::unique_lock lock(mutex_);
      SharedPayload* payload = first_;
      if (payload == nullptr) return;
      auto& request = payload->request_;
      first_ = std::exchange(request.next, nullptr);
      if (first_ == nullptr) last_ = nullptr;
      const auto keep = std::move(request.keep);
      const bool join = request.join == SemaphoreRequest::Join::wanted;
      const bool watch = std::exchange(request.watch, false);
      const bool leave = std::exchange(request.leave, false);
      lock.unlock();
      if (join) answer(*payload, take_in(keep));
      if (watch) {
        set_watched(*payload, true);
        if (payload->state_.somebody_is_lost()) lose(*payload);
        attend(*payload);
      }
      if (leave) let_go(*payload);
    }
  }

  bool take_in(const std::shared_ptr<SharedPayload>& payload) {
    try {
      payloads_.reserve(payloads_.size() + 1);
    } catch (const std::exception&) {
      return false;
    }
    epoll_event nothing{0, {payload.get()}};
    if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, payload->state_.signals(), &nothing) != 0) return false;
    if (!payload->state_.take_place()) {
      epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, payload->state_.signals(), nullptr);
      return false;
    }
    payloads_.push_back(payload);
    return true;
  }

  void answer(SharedPayload& payload, bool done) {
    const std::scoped_lock lock(mutex_);
    payload.request_.join = done ? SemaphoreRequest::Join::done : SemaphoreRequest::Join::refused;
    answered_.notify_all();
  }

  void let_go(SharedPayload& payload) {
    set_watched(payload, false);
    epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, payload.state_.signals(), nullptr);
    payload.state_.leave_place();
    std::erase_if(payloads_, [&](const auto& each) { return each.get() == &payload; });
  }

  void set_watched(SharedPayload& payload, bool on) {
    if (std::exchange(payload.watched_, on) == on) return;
    watched_count_ += on ? 1 : -1;
    epoll_event readable{on ? EPOLLIN : 0U, {&payload}};
    epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, payload.state_.signals(), &readable);
  }

  /// Gives the signals that have arrived to its waits.
  void attend(SharedPayload& payload) {
    if (!payload.serve()) set_watched(payload, false);
  }

  void lose(SharedPayload& payload) {
    payload.serve();
    try {
      payload.fail(CL_OUT_OF_RESOURCES);
    } catch (const std::exception&) {
      return;  // no memory now; the next look tries again
    }
  }

  void look_for_losses() {
    for (const auto& payload : payloads_) {
      if (!payload->watched_) continue;
      if (payload->state_.somebody_is_lost()) lose(*payload);
      attend(*payload);
    }
  }

  std::mutex mutex_;  ///< guards what follows, and SharedPayload::request_
  std::condition_variable answered_;
  SharedPayload* first_ = nullptr;  ///< of the payloads with a request, in the order of the requests
  SharedPayload* last_ = nullptr;
  bool started_ = false;

  file::Descriptor epoll_;
  file::Descriptor wake_;

  // Used by the thread alone.
  std::vector<std::shared_ptr<SharedPayload>> payloads_;
  int watched_count_ = 0;
};

bool join_shared(SharedPayload& payload) {
  return SemaphoreThread::instance().join(payload);
}

void watch_shared(SharedPayload& payload) noexcept {
  SemaphoreThread::instance().post(payload, &SemaphoreRequest::watch);
}

void leave_shared(SharedPayload& payload) noexcept {
  SemaphoreThread::instance().post(payload, &SemaphoreRequest::leave);
}

}  // namespace lanewise

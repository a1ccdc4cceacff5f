// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/semaphore/semaphore.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

namespace lanewise {

bool Semaphore::signalled() const {
  const std::scoped_lock lock(mutex_);
  return level_ != 0;
}

void Semaphore::signal() {
  Ref<UserEvent> wait;
  {
    const std::scoped_lock lock(mutex_);
    ++level_;
    if (waits_.empty()) {
      ++kept_;
      return;
    }
    wait = std::move(waits_.front());
    waits_.pop_front();
  }
  wait->set_status(CL_COMPLETE);
}

Result<Ref<UserEvent>> Semaphore::wait() {
  auto made = UserEvent::create(*context_);
  if (!made.ok()) return made;
  {
    const std::scoped_lock lock(mutex_);
    if (kept_ == 0) {
      waits_.push_back(made.value());
      return made;
    }
    --kept_;
  }
  made.value()->set_status(CL_COMPLETE);
  return made;
}

void Semaphore::taken() {
  const std::scoped_lock lock(mutex_);
  --level_;
}

void Semaphore::give_up(const UserEvent& wait) {
  Ref<UserEvent> next;
  {
    const std::scoped_lock lock(mutex_);
    const auto at =
        std::find_if(waits_.begin(), waits_.end(), [&](const Ref<UserEvent>& other) { return other.get() == &wait; });
    if (at != waits_.end()) {
      next = std::move(*at);  // released when the lock is open again
      waits_.erase(at);
      return;
    }
    if (waits_.empty()) {
      ++kept_;
      return;
    }
    next = std::move(waits_.front());
    waits_.pop_front();
  }
  next->set_status(CL_COMPLETE);
}

namespace {

/// Far below what it costs to wake a thread for it.
constexpr std::uint64_t kSignalNs = 200;

class SignalWork final : public Work {
 public:
  explicit SignalWork(std::vector<Ref<Semaphore>> semaphores) : semaphores_(std::move(semaphores)) {}

  [[nodiscard]] std::uint64_t pieces() const override { return 1; }
  [[nodiscard]] std::uint64_t piece_ns() const override { return kSignalNs; }
  cl_int run(Worker&, std::uint64_t, std::uint64_t) const noexcept override {
    for (const auto& semaphore : semaphores_) semaphore->signal();
    return CL_SUCCESS;
  }

 private:
  std::vector<Ref<Semaphore>> semaphores_;
};

class WaitWork final : public Work {
 public:
  explicit WaitWork(std::vector<Ref<Semaphore>> semaphores) : semaphores_(std::move(semaphores)) {
    signals_.reserve(semaphores_.size());
  }
  ~WaitWork() override {
    if (ran_.load(std::memory_order_relaxed)) return;
    for (std::size_t i = 0; i < signals_.size(); ++i) semaphores_[i]->give_up(*signals_[i]);
  }

  /// Stands in line at each semaphore.
  Result<void> begin() {
    for (const auto& semaphore : semaphores_) {
      auto signal = semaphore->wait();
      if (!signal.ok()) return signal.error();
      signals_.push_back(std::move(signal).value());
    }
    return {};
  }
  [[nodiscard]] const std::vector<Ref<UserEvent>>& signals() const { return signals_; }

  [[nodiscard]] std::uint64_t pieces() const override { return 1; }
  [[nodiscard]] std::uint64_t piece_ns() const override { return kSignalNs; }
  cl_int run(Worker&, std::uint64_t, std::uint64_t) const noexcept override {
    for (const auto& semaphore : semaphores_) semaphore->taken();
    ran_.store(true, std::memory_order_relaxed);
    return CL_SUCCESS;
  }

 private:
  std::vector<Ref<Semaphore>> semaphores_;
  std::vector<Ref<UserEvent>> signals_;   ///< beside semaphores_
  mutable std::atomic<bool> ran_{false};  ///< the work of a wait runs once
};

}  // namespace

WorkPtr make_signal(std::vector<Ref<Semaphore>> semaphores) {
  return std::make_unique<SignalWork>(std::move(semaphores));
}

Result<SemaphoreWait> make_semaphore_wait(std::vector<Ref<Semaphore>> semaphores) {
  auto work = std::make_unique<WaitWork>(std::move(semaphores));
  if (auto begun = work->begin(); !begun.ok()) return begun.error();
  std::vector<Ref<UserEvent>> signals = work->signals();
  return SemaphoreWait{std::move(work), std::move(signals)};
}

}  // namespace lanewise

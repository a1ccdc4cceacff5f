// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/semaphore/semaphore.h"

#include <atomic>
#include <memory>
#include <utility>

namespace lanewise {

namespace {

/// Much less than the cost of waking a thread, so the thread at hand runs the command.
constexpr std::uint64_t kSignalNs = 200;

class SignalWork final : public Work {
 public:
  explicit SignalWork(std::vector<Ref<Semaphore>> semaphores) : semaphores_(std::move(semaphores)) {}

  [[nodiscard]] std::uint64_t pieces() const override { return 1; }
  [[nodiscard]] std::uint64_t piece_ns() const override { return kSignalNs; }
  cl_int run(Worker&, std::uint64_t, std::uint64_t) const noexcept override {
    for (const auto& semaphore : semaphores_) semaphore->payload().signal();
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
    for (std::size_t i = 0; i < signals_.size(); ++i) semaphores_[i]->payload().give_up(*signals_[i]);
  }

  /// Adds a wait to each semaphore.
  Result<void> begin() {
    for (const auto& semaphore : semaphores_) {
      auto signal = semaphore->payload().wait(semaphore->context());
      if (!signal.ok()) return signal.error();
      signals_.push_back(std::move(signal).value());
    }
    return {};
  }
  [[nodiscard]] const std::vector<Ref<UserEvent>>& signals() const { return signals_; }

  [[nodiscard]] std::uint64_t pieces() const override { return 1; }
  [[nodiscard]] std::uint64_t piece_ns() const override { return kSignalNs; }
  cl_int run(Worker&, std::uint64_t, std::uint64_t) const noexcept override {
    for (const auto& semaphore : semaphores_) semaphore->payload().taken();
    ran_.store(true, std::memory_order_relaxed);
    return CL_SUCCESS;
  }

 private:
  std::vector<Ref<Semaphore>> semaphores_;
  std::vector<Ref<UserEvent>> signals_;   ///< one for each of semaphores_
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

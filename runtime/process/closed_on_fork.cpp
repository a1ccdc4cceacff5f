// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/closed_on_fork.h"

#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <utility>

#include "src/base/survives_fork.h"

namespace lanewise {

/// One descriptor in the list of all. Slots are never freed, so that a forked child can walk the list without a lock.
struct ClosedOnFork::Slot {
  std::atomic<bool> taken{true};
  std::atomic<int> number{-1};  ///< set after what follows
  dev_t device = 0;
  ino_t inode = 0;
  Slot* next = nullptr;

  [[nodiscard]] bool is_of(int descriptor) const {
    struct stat facts{};
    return fstat(descriptor, &facts) == 0 && facts.st_dev == device && facts.st_ino == inode;
  }
};

struct ClosedOnForkSlots {
  using Slot = ClosedOnFork::Slot;
  static inline constinit std::atomic<Slot*> first{nullptr};
  static std::atomic<bool> registered;

  /// Runs in the child, on its only thread.
  static void after_fork() {
    for (Slot* slot = first.load(std::memory_order_acquire); slot != nullptr; slot = slot->next) {
      const int number = slot->number.exchange(-1);
      if (number >= 0 && slot->is_of(number)) close(number);
    }
  }

  static Slot* take() {
    if (!registered.exchange(true)) pthread_atfork(nullptr, nullptr, after_fork);
    for (Slot* slot = first.load(std::memory_order_acquire); slot != nullptr; slot = slot->next)
      if (!slot->taken.exchange(true, std::memory_order_acq_rel)) return slot;
    auto* made = new Slot;
    made->next = first.load(std::memory_order_relaxed);
    while (!first.compare_exchange_weak(made->next, made, std::memory_order_release, std::memory_order_relaxed)) {
    }
    return made;
  }
};

LANEWISE_SURVIVES_FORK constinit std::atomic<bool> ClosedOnForkSlots::registered{false};

ClosedOnFork::ClosedOnFork(file::Descriptor descriptor)
    : descriptor_(std::move(descriptor)), slot_(ClosedOnForkSlots::take()) {
  struct stat facts{};
  if (fstat(descriptor_.get(), &facts) == 0) {
    slot_->device = facts.st_dev;
    slot_->inode = facts.st_ino;
  }
  slot_->number.store(descriptor_.get(), std::memory_order_release);
}

ClosedOnFork::~ClosedOnFork() {
  if (slot_ == nullptr) return;
  slot_->number.store(-1, std::memory_order_release);
  if (!is_intact()) (void)descriptor_.release();
  slot_->taken.store(false, std::memory_order_release);
}

bool ClosedOnFork::is_intact() const {
  return slot_->is_of(descriptor_.get());
}

}  // namespace lanewise

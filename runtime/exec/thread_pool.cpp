// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/thread_pool.h"

#include <pthread.h>

#include <algorithm>
#include <cstddef>

#include "runtime/process/imported_memory.h"
#include "runtime/process/signals.h"
#include "src/host/cancellation.h"

namespace lanewise {

namespace {
/// Kernels need stacks of this size, even if the default of the process is smaller.
constexpr std::size_t kLeastStack = std::size_t{4} << 20U;
}  // namespace

bool ThreadPool::start() {
  std::unique_lock lock(mutex_);
  if (sleepers_ == nullptr && reserved_ < most_) {
    ++reserved_;
    lock.unlock();
    const bool created = create();
    lock.lock();
    if (created) return ++made_, true;
    --reserved_;
  }
  if (sleepers_ == nullptr) {
    if (made_ == 0) return false;
    ++pending_;
    return true;
  }
  Sleeper& sleeper = *sleepers_;
  sleepers_ = sleeper.below;
  --sleeping_;
  lock.unlock();
  // The sleeper is still there, because threads of the pool never end.
  sleeper.called.store(1, std::memory_order_release);
  sleeper.called.notify_one();
  return true;
}

unsigned ThreadPool::waiting() const {
  const std::scoped_lock lock(mutex_);
  return sleeping_;
}

bool ThreadPool::create() {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  std::size_t stack = 0;
  pthread_attr_getstacksize(&attributes, &stack);
  pthread_attr_setstacksize(&attributes, std::max(stack, kLeastStack));
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  const BlockSignals block;
  const host::CancellationHeld held;
  pthread_t thread{};
  const bool created = pthread_create(&thread, &attributes, &ThreadPool::run, this) == 0;
  pthread_attr_destroy(&attributes);
  return created;
}

void* ThreadPool::run(void* pool) {
  pthread_setname_np(pthread_self(), "lanewise");
  MendFaults::never_blocked();
  static_cast<ThreadPool*>(pool)->loop();
}

void ThreadPool::loop() {
  Sleeper self;
  for (;;) {
    entry_(argument_);
    {
      const std::scoped_lock lock(mutex_);
      if (pending_ > 0) {
        --pending_;
        continue;
      }
      self.called.store(0, std::memory_order_relaxed);
      self.below = sleepers_;
      sleepers_ = &self;
      ++sleeping_;
    }
    self.called.wait(0, std::memory_order_acquire);
  }
}

}  // namespace lanewise

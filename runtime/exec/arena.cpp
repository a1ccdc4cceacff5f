// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/arena.h"

// TBB's library is not instrumented, so ThreadSanitizer cannot see how a task gets from one thread to another. Its
// headers are left out here; everything of ours that a task touches is synchronised by our own atomics.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((no_sanitize("thread"))), apply_to = function)
#endif
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <exception>
#include <thread>

#include "runtime/exec/signals.h"

namespace lanewise {

struct Arena::Threads {
  explicit Threads(unsigned count) : crew(static_cast<int>(count), 0), lead(1, 0) {
    // TBB makes one worker less than there are cores, for it counts on the calling thread; ours may well sleep. And a
    // device's work must not wait for workers that are busy in the arena of another. The lowest limit in the process
    // counts, so there is one for all arenas; workers above a device's need are never made.
    static const auto& limit [[maybe_unused]] = *new tbb::global_control(
        tbb::global_control::max_allowed_parallelism, 2 * std::thread::hardware_concurrency() + count + 1);
  }

  tbb::task_arena crew;
  /// TBB wakes as many workers as an arena may have when its first task arrives. A single small command needs one, so
  /// the first participant comes from an arena for one.
  tbb::task_arena lead;
  std::atomic<unsigned> starts{0};
};

Arena::Arena(unsigned threads) : threads_(new Threads(threads)) {}

bool Arena::start(Entry entry, void* argument, bool first) {
  const auto task = [entry, argument] { entry(argument); };
  auto& arena = first ? threads_->lead : threads_->crew;
  try {
    // The first tasks create the workers, which inherit the signal mask of the thread that creates them.
    if (threads_->starts.load(std::memory_order_relaxed) < 64) {
      threads_->starts.fetch_add(1, std::memory_order_relaxed);
      const BlockSignals block;
      arena.enqueue(task);
    } else {
      arena.enqueue(task);
    }
  } catch (const std::exception&) {
    return false;
  }
  return true;
}

}  // namespace lanewise
#if defined(__clang__)
#pragma clang attribute pop
#endif

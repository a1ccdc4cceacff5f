// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The threads that run commands of a device: oneTBB's workers in the device's arenas, and threads of the application that
/// wait for something.
///
/// oneTBB makes the threads, wakes them, lets them look for work for a while, and puts them to sleep. A task of TBB is
/// a thread that takes part: it claims chunks of ready commands until there are none (ready_list.h).
///
/// A wake-up of TBB is one of all the workers of an arena. So a device has several: of one worker, one, two, four and so
/// on, and as many threads are woken as there is work for.
#pragma once

#include <atomic>

#include "src/host/domains.h"

namespace lanewise {

class Arena {
 public:
  using Entry = void (*)(void*);

  /// @param threads  that take part at once, at least 1. `entry(argument)` is what a called worker runs.
  /// @param cpus     on which workers run
  /// Makes no thread and uses nothing of TBB. Lives as long as the process: threads may use it when that ends.
  Arena(unsigned threads, host::CpuList cpus, Entry entry, void* argument);
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  [[nodiscard]] unsigned limit() const { return static_cast<unsigned>(threads_); }

  /// The calling thread takes part unless the limit is reached; then it must call `leave` later. All counts are
  /// sequentially consistent, for the reason that ReadyList::count gives.
  [[nodiscard]] bool join();
  void leave() { running_.fetch_sub(1); }
  [[nodiscard]] bool has_place() const { return running_.load() < threads_; }
  /// What a called worker uses instead of `join`.
  [[nodiscard]] bool arrive() {
    const bool joined = join();
    requested_.fetch_sub(1);
    return joined;
  }

  /// While it exists, the calling worker, which has joined, looks for work, so that nobody needs to be called for it.
  class Looking {
   public:
    explicit Looking(Arena& arena) : arena_(arena) { arena_.looking_.fetch_add(1); }
    ~Looking() { arena_.looking_.fetch_sub(1); }
    Looking(const Looking&) = delete;
    Looking& operator=(const Looking&) = delete;

   private:
    Arena& arena_;
  };

  /// Calls `wanted` workers, less those that look for work, up to the limit. False: the system gives no thread.
  [[nodiscard]] bool call(int wanted);

  /// Runs `body` on the calling thread, which has joined and is in the arena meanwhile, if there is a place for it.
  template <class Body>
  void execute(Body& body) {
    execute_in_arena([](void* data) { (*static_cast<Body*>(data))(); }, &body);
  }
  /// Whether the calling thread is in an arena of some device: it is a worker, or in `execute`.
  [[nodiscard]] static bool here() noexcept;

 private:
  struct Tbb;
  struct Tier;
  /// Null: out of memory.
  [[nodiscard]] Tbb* tbb() noexcept;
  /// The worker's task is counted in `requested_`. False: out of memory.
  [[nodiscard]] bool call_into(Tier& tier) noexcept;
  [[nodiscard]] Tier& tier_for_one(Tbb& tbb) const noexcept;
  void execute_in_arena(void (*body)(void*), void* data);

  const int threads_;
  const host::CpuList cpus_;
  const Entry entry_;
  void* const argument_;
  std::atomic<Tbb*> tbb_{nullptr};           ///< what is TBB's; made by the first call, never destroyed
  alignas(64) std::atomic<int> running_{0};  ///< threads that take part
  std::atomic<int> requested_{0};            ///< called, but not arrived yet
  std::atomic<int> looking_{0};              ///< of `running_`: those that look for work
};

}  // namespace lanewise

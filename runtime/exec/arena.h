// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The threads that run a device's commands: oneTBB's workers in the device's arenas, and waiting threads of the
/// application.
///
/// oneTBB creates the workers, wakes them, lets them spin for a while and puts them to sleep. One TBB task is one
/// participant: it claims chunks of ready commands until there are none (ready_list.h).
///
/// oneTBB wakes all workers of an arena at once. A device therefore has several arenas, with one, one, two, four, ...
/// workers, and wakes only as many threads as there is work for.
#pragma once

#include <atomic>

#include "src/base/cache_lines.h"
#include "src/host/domains.h"

namespace lanewise {

/// The arenas of one device. All functions are thread-safe.
class Arena {
 public:
  using Entry = void (*)(void*);

  /// Creates no thread and uses nothing of oneTBB. The arena lives as long as the process, because threads may use it
  /// while the process exits.
  /// @param threads  the largest number of participants at once, at least 1
  /// @param cpus     the processors that workers run on
  /// @param entry    the function that a called worker runs, with `argument`
  Arena(unsigned threads, host::CpuList cpus, Entry entry, void* argument);
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  [[nodiscard]] unsigned limit() const { return static_cast<unsigned>(threads_); }

  /// Makes the calling thread a participant, which calls `leave` later. False: `limit` participants exist already. All
  /// counts are sequentially consistent, for the reason given at ReadyList::count.
  [[nodiscard]] bool join();
  void leave() { running_.fetch_sub(1); }
  [[nodiscard]] bool has_place() const { return running_.load() < threads_; }
  /// How many participants there are now; a hint.
  [[nodiscard]] unsigned participants() const {
    return static_cast<unsigned>(running_.load(std::memory_order_relaxed));
  }
  /// Replaces `join` for a called worker.
  [[nodiscard]] bool arrive() {
    const bool joined = join();
    requested_.fetch_sub(1);
    return joined;
  }

  /// Counts the calling participant, while the object exists, as one that looks for work. `call` then calls one fewer.
  class Looking {
   public:
    explicit Looking(Arena& arena) : arena_(arena) { arena_.looking_.fetch_add(1); }
    ~Looking() { arena_.looking_.fetch_sub(1); }
    Looking(const Looking&) = delete;
    Looking& operator=(const Looking&) = delete;

   private:
    Arena& arena_;
  };

  /// Calls `wanted` workers, minus those that look for work, up to the limit. False: the system gives no thread.
  [[nodiscard]] bool call(int wanted);

  /// Runs `body` on the calling participant, inside the arena if that has a slot for it.
  template <class Body>
  void execute(Body& body) {
    execute_in_arena([](void* data) { (*static_cast<Body*>(data))(); }, &body);
  }
  /// Whether the calling thread is in an arena of any device, as a worker or within `execute`.
  [[nodiscard]] static bool here() noexcept;

 private:
  struct Tbb;
  struct Tier;
  /// The oneTBB part, created by the first call. Null: out of memory.
  [[nodiscard]] Tbb* tbb() noexcept;
  /// Gives an arena the task of one worker, which the caller has counted in `requested_`. False: out of memory.
  [[nodiscard]] bool call_into(Tier& tier) noexcept;
  [[nodiscard]] Tier& tier_for_one(Tbb& tbb) const noexcept;
  void execute_in_arena(void (*body)(void*), void* data);

  const int threads_;
  const host::CpuList cpus_;
  const Entry entry_;
  void* const argument_;
  std::atomic<Tbb*> tbb_{nullptr};                    ///< the oneTBB part; created by the first call, never destroyed
  alignas(kApartBytes) std::atomic<int> running_{0};  ///< participants
  std::atomic<int> requested_{0};                     ///< workers that were called and have not arrived
  std::atomic<int> looking_{0};                       ///< participants that look for work
};

}  // namespace lanewise

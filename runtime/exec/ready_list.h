// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The commands that are ready to run, and the order in which threads take them.
///
/// There is one list for each queue priority. One search in eight begins at a lower priority, medium and low in turn,
/// so that none starves. A command with several chunks stays in its list, so any number of threads can share it and any
/// number of commands can run at once.
///
/// Waking a sleeping thread costs more than running a small command. Therefore a small command wakes no thread by
/// itself: it is collected until there are kCollectNs of work, until a flush or a query asks for it, or until a waiting
/// thread runs it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "runtime/exec/command.h"
#include "runtime/exec/hints.h"
#include "runtime/exec/parts_pool.h"
#include "runtime/exec/seats.h"
#include "src/base/cache_lines.h"
#include "src/base/list.h"
#include "src/base/mutex.h"

namespace lanewise {

/// What a participant runs, and what it has run since its last search. A worker runs every command, a waiting thread
/// only the commands that its target depends on.
struct Purpose {
  const Command* target = nullptr;  ///< the command that the thread waits for; null: the thread runs every command
  unsigned chained = 0;             ///< commands that it has run in a row without searching the list
  Hint throttle = Hint::medium;     ///< the hint of the queue whose command ran last
  bool shared = false;              ///< the thread has run some chunks of a command, but not all
  Home home{};                      ///< the thread's node
  unsigned turn = 0;                ///< chunks of one command that it has taken in a row while others are ready
  std::uint64_t run = 0;            ///< pieces of one part that it has run and not retired
  std::uint64_t ns = 0;             ///< nanoseconds that these pieces took
  Seats::Seat seat{};               ///< the thread's seat, if it has run more than one chunk in a row
  std::size_t stack = std::numeric_limits<std::size_t>::max();  ///< bytes of stack that it has left
  [[nodiscard]] bool serves(const Command& command) const;
  [[nodiscard]] bool fulfilled() const { return target != nullptr && target->ended(); }
};

/// The ready commands of one scheduler. All functions are thread-safe.
class ReadyList {
 public:
  static constexpr std::uint64_t kCollectNs = 20'000;  ///< nanoseconds of small commands that wake a thread
  static constexpr std::uint64_t kLeastNs = 50;        ///< the least nanoseconds that a command counts in that sum

  /// @param threads  the largest number of participants
  /// @param nodes    number of their nodes (nodes.h)
  ReadyList(unsigned threads, unsigned nodes) : parts(threads, nodes), threads_(threads) {}
  ReadyList(const ReadyList&) = delete;
  ReadyList& operator=(const ReadyList&) = delete;

  /// Number of commands in the lists. Sequentially consistent, like the counts of Arena: a submitter raises this count
  /// and then reads Arena's, a participant that leaves lowers Arena's count and then reads this one. At least one of
  /// the two therefore sees the other's change.
  [[nodiscard]] int count() const { return count_.load(); }
  [[nodiscard]] int count_relaxed() const { return count_.load(std::memory_order_relaxed); }

  /// Adds a ready command. True: the caller should wake a thread now.
  /// @param collected_ns  nanoseconds of a small command that may be collected; 0: start the command at once
  [[nodiscard]] bool add(Command& command, std::uint64_t collected_ns);
  /// Removes the command from its list, if it is in one. The caller holds a chunk of it, and no chunk is left to take.
  void remove(Command& command);
  /// Takes a chunk of a command that serves the purpose; no command: there is none.
  /// @param more  out: the command stays in the list
  Chunk take(const Purpose& purpose, bool& more);

  /// Whether there are small commands for which no thread has been woken.
  [[nodiscard]] bool collects() const { return collected_.load(std::memory_order_relaxed) != 0; }
  /// Counts one more small command, which costs `ns` nanoseconds. True: the caller should wake a thread now.
  [[nodiscard]] bool collect(std::uint64_t ns) { return collected_.fetch_add(ns) + ns >= kCollectNs; }
  /// Notes that a thread has been woken for the small commands. Stores only on a change, so that other threads keep
  /// their copy of the cache line.
  void collect_anew() {
    if (collected_.load() != 0) collected_.store(0);
  }

  PartsPool parts;

 private:
  struct Hook {
    static ReadyHook& of(Command& command) { return command.ready; }
  };
  /// The commands of one priority, oldest first.
  using Level = List<Command, Hook>;
  static constexpr unsigned kLevels = 3;  ///< the values of Hint: high, medium, low

  Chunk take_from(Level& level, const Purpose& purpose, bool& more) REQUIRES(mutex_);
  /// Updates what follows from the lists; called after commands have been added or removed.
  void changed() REQUIRES(mutex_);
  void push(Command& command) REQUIRES(mutex_);
  void unlink(Command& command) REQUIRES(mutex_);
  [[nodiscard]] Level& level_of(const Command& command) REQUIRES(mutex_);
  /// The `i`-th level to search in this turn.
  [[nodiscard]] static unsigned level_in(std::uint32_t turn, unsigned i);

  const unsigned threads_;
  Mutex mutex_;  ///< innermost; nothing is called under it
  std::array<Level, kLevels> levels_ GUARDED_BY(mutex_){};
  std::uint32_t turns_ GUARDED_BY(mutex_) = 0;  ///< number of searches
  alignas(kApartBytes) std::atomic<int> count_{0};
  std::atomic<std::uint64_t> collected_{0};  ///< nanoseconds of small commands for which no thread has been woken
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The commands that are ready to run, and which of them a thread takes.
///
/// There is a list for each queue priority; one search in eight begins at a lower priority, medium and low in turn, so
/// that none starves. A command of several chunks stays in its list, so any number of threads can share it and any
/// number of commands can run at once.
///
/// Waking a sleeping thread costs more than running a small command. So a small command that an application enqueues
/// wakes no thread by itself: it is collected until there are some microseconds of work, until a flush or query asks
/// for it, or until a waiting thread runs it.
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
#include "src/base/list.h"
#include "src/base/mutex.h"

namespace lanewise {

/// Why a thread takes part: a worker runs everything, a waiting thread what its target needs.
struct Purpose {
  const Command* target = nullptr;  ///< null: everything
  unsigned chained = 0;             ///< commands run in a row without searching the list
  Hint throttle = Hint::medium;     ///< of the queue whose command ran last
  bool shared = false;              ///< it has run a part of a command whose other parts are for others
  Home home{};                      ///< of the thread
  unsigned turn = 0;                ///< chunks of one command that it has taken in a row
  std::uint64_t run = 0;            ///< pieces of one part of that command which it has run and not retired yet
  std::uint64_t ns = 0;             ///< that these took
  Seats::Seat seat{};               ///< of the thread, if it has run more than one chunk in a row
  std::size_t stack = std::numeric_limits<std::size_t>::max();  ///< bytes for what it runs
  [[nodiscard]] bool serves(const Command& command) const;
  [[nodiscard]] bool fulfilled() const { return target != nullptr && target->ended(); }
};

class ReadyList {
 public:
  static constexpr std::uint64_t kCollectNs = 20'000;  ///< small work that is collected before a thread is woken for it
  static constexpr std::uint64_t kLeastNs = 50;        ///< what a command costs at least, for that sum

  /// @param threads  the number of threads among which a command is divided
  /// @param nodes    to which these belong
  ReadyList(unsigned threads, unsigned nodes) : parts(threads, nodes), threads_(threads) {}
  ReadyList(const ReadyList&) = delete;
  ReadyList& operator=(const ReadyList&) = delete;

  /// Number of commands in the list. Sequentially consistent, like the counts of Arena: a submitter raises this
  /// count and then reads theirs, a participant that leaves lowers its count and then reads this one, so at least one
  /// of the two sees the other's change.
  [[nodiscard]] int count() const { return count_.load(); }
  [[nodiscard]] int count_relaxed() const { return count_.load(std::memory_order_relaxed); }

  /// `collected_ns`: 0 to start the command at once; otherwise the cost of a small command, which may be collected.
  /// True: a thread should be woken now.
  [[nodiscard]] bool add(Command& command, std::uint64_t collected_ns);
  /// Removes the command from the list, if it is in it. The caller holds a chunk of it, and no chunk is left to take.
  void remove(Command& command);
  /// A chunk of a command that serves the purpose; nothing if there is none. `more`: the command stays in the list.
  Chunk take(const Purpose& purpose, bool& more);

  /// Whether there are small commands for which no thread has been woken.
  [[nodiscard]] bool collects() const { return collected_.load(std::memory_order_relaxed) != 0; }
  /// Adds one of this cost to them. True: a thread should be woken now.
  [[nodiscard]] bool collect(std::uint64_t ns) { return collected_.fetch_add(ns) + ns >= kCollectNs; }
  /// A thread has been woken for them. Threads that only look keep their copy of the line.
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
  /// Commands have been added or removed.
  void changed() REQUIRES(mutex_);
  void push(Command& command) REQUIRES(mutex_);
  void unlink(Command& command) REQUIRES(mutex_);
  [[nodiscard]] Level& level_of(const Command& command) REQUIRES(mutex_);
  /// The `i`-th level to search in this turn.
  [[nodiscard]] static unsigned level_in(std::uint32_t turn, unsigned i);

  const unsigned threads_;
  Mutex mutex_;  ///< innermost, nothing is called under it
  std::array<Level, kLevels> levels_ GUARDED_BY(mutex_){};
  std::uint32_t turns_ GUARDED_BY(mutex_) = 0;
  alignas(64) std::atomic<int> count_{0};
  std::atomic<std::uint64_t> collected_{0};  ///< nanoseconds of small commands for which no thread has been woken
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Commands that can run, and who takes which.
///
/// They stand in lists, one for each priority of a queue; one look in eight begins at a lower one, the medium and the low
/// in turn, so none starves. A command of several chunks stays in its list, so any number of threads share it and any
/// number of commands run at once.
///
/// Waking a sleeping thread costs more than a small command. So a small command that an application enqueues starts
/// nobody by itself: it is collected until some microseconds of work have come together, a flush or query asks for it,
/// or a waiting thread runs it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>

#include "runtime/exec/command.h"
#include "runtime/exec/hints.h"

namespace lanewise {

/// Why a thread takes part: one of the pool runs everything, a waiting thread what its target needs.
struct Purpose {
  const Command* target = nullptr;
  unsigned chained = 0;                                         ///< commands run in a row without a look at the list
  Hint throttle = Hint::medium;                                 ///< of the queue whose command ran last
  bool stays = true;                                            ///< looks for more work for a while before it goes
  std::size_t stack = std::numeric_limits<std::size_t>::max();  ///< bytes for what it runs
  [[nodiscard]] bool serves(const Command& command) const;
  [[nodiscard]] bool fulfilled() const { return target != nullptr && target->ended(); }
};

class ReadyList {
 public:
  static constexpr std::uint64_t kCollectNs = 20'000;  ///< small work that is collected before a thread is woken for it
  static constexpr std::uint64_t kLeastNs = 50;        ///< what a command costs at least, for that sum

  /// @param threads  among which a command is divided
  explicit ReadyList(unsigned threads) : threads_(threads) {}
  ReadyList(const ReadyList&) = delete;
  ReadyList& operator=(const ReadyList&) = delete;

  /// Commands in the list. Sequentially consistent, as the counts of Participants: a submitter raises it and then looks
  /// for participants, a participant leaves and then looks at it, so one of the two sees the other.
  [[nodiscard]] int count() const { return count_.load(); }
  [[nodiscard]] int count_relaxed() const { return count_.load(std::memory_order_relaxed); }

  /// `collected_ns`: 0 starts the command at once; otherwise it is a small one of this cost, which may wait for more.
  /// True: it is time to wake a thread.
  [[nodiscard]] bool add(Command& command, std::uint64_t collected_ns);
  /// Its next chunk is nobody's, and it has not ended: out of the list, if it is in it.
  void remove(Command& command);
  /// A chunk of a command that serves the purpose; nothing if there is none. `more`: the command stays in the list.
  Chunk take(const Purpose& purpose, bool& more);

  /// Whether there are small commands that nobody was woken for.
  [[nodiscard]] bool collects() const { return collected_.load(std::memory_order_relaxed) != 0; }
  /// One more of this cost comes behind them. True: it is time to wake a thread.
  [[nodiscard]] bool collect(std::uint64_t ns) { return collected_.fetch_add(ns) + ns >= kCollectNs; }
  /// Somebody has been woken for them.
  void collect_anew() { collected_.store(0); }

 private:
  /// The commands of one priority, oldest first.
  struct List {
    Command* head = nullptr;
    Command* tail = nullptr;
  };
  static constexpr unsigned kLevels = 3;  ///< of Hint: high, medium, low

  // All under the lock.
  Chunk take_from(const List& list, const Purpose& purpose, bool& more);
  void push(Command& command);
  void unlink(Command& command);
  [[nodiscard]] List& list_of(const Command& command);
  [[nodiscard]] bool empty() const;
  /// The `i`-th list to look at in this turn.
  [[nodiscard]] static unsigned level(std::uint32_t turn, unsigned i);

  const unsigned threads_;
  std::mutex mutex_;  ///< guards the lists; innermost, nothing is called under it
  std::array<List, kLevels> lists_{};
  std::uint32_t turns_ = 0;
  alignas(64) std::atomic<int> count_{0};
  std::atomic<std::uint64_t> collected_{0};  ///< nanoseconds of small commands nobody was woken for
};

}  // namespace lanewise

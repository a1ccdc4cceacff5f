// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the order of enqueues becomes edges between commands (API 5.1, 5.12, 5.14).
///
/// In-order queues: a command depends only on the one enqueued before it. Out-of-order queues: it depends on the last
/// barrier only; a marker or barrier without a wait list collects, which means waits for, all outstanding commands. It
/// ends after them, so the next marker or barrier waits for it in place of those: every command is collected at most
/// once, and n commands have O(n) edges wherever there are markers and barriers among them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "src/base/list.h"
#include "src/base/mutex.h"

namespace lanewise {

class Command;
struct Edge;
struct OrderHook;

enum class SubmitKind {
  normal,
  marker,   ///< with an empty wait list: waits for all earlier commands
  barrier,  ///< as marker, and all later commands wait for it
};

class QueueOrder {
 public:
  explicit QueueOrder(bool in_order) : in_order_(in_order) {}
  QueueOrder(const QueueOrder&) = delete;
  QueueOrder& operator=(const QueueOrder&) = delete;

  /// Appends the command and makes it wait for the commands that the order demands. False: out of memory, and the
  /// command has not been appended. All functions are thread-safe.
  bool enter(Command& command, SubmitKind kind);
  /// The command has ended, so later commands need not wait for it.
  void forget(Command& command);
  /// Whether all commands have ended.
  [[nodiscard]] bool empty();
  /// Calls Command::abandon for every command that has not ended. To be called once, for `terminable` commands only.
  void abandon();

 private:
  void enter_in_order(Command& command);
  bool enter_out_of_order(Command& command, SubmitKind kind);
  /// Makes a marker or barrier wait for the commands that no earlier one has collected; needs `uncollected_` edges.
  void collect(Command& command, Edge* edges) REQUIRES(mutex_);
  // The list of outstanding commands.
  void list(Command& command) REQUIRES(mutex_);
  void unlist(Command& command) REQUIRES(mutex_);

  const bool in_order_;
  std::atomic<std::uint64_t> issued_{0};

  /// In-order queues: the command enqueued last, with a reference; null when it has ended. Enqueues exchange it
  /// atomically, so the order of the exchanges is the order of the queue and no lock is needed.
  std::atomic<Command*> last_{nullptr};

  // For out-of-order queues, and for in-order queues of contexts that can be terminated.
  Mutex mutex_;  ///< innermost, nothing is called under it
  struct Hook {
    static OrderHook& of(Command& command);
  };
  List<Command, Hook> outstanding_ GUARDED_BY(mutex_);  ///< commands that have not ended, newest first
  std::size_t uncollected_ GUARDED_BY(mutex_) = 0;      ///< how many of them, the newest, have not been collected
  Command* abandon_next_ GUARDED_BY(mutex_) = nullptr;  ///< the next of them for abandon(), while that runs
  Command* barrier_ GUARDED_BY(mutex_) = nullptr;       ///< the last barrier, one of them; null if it has ended
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Converts the order of enqueues to edges between commands (API 5.1, 5.12, 5.14).
///
/// In an in-order queue, a command depends only on the command before it. In an out-of-order queue, it depends only on
/// the last barrier. A marker or barrier without a wait list collects (waits for) all outstanding commands. Because it
/// ends after them, the next marker or barrier waits for it instead: every command is collected at most once, and n
/// commands have O(n) edges.
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

/// The effect of a command on the order of its queue.
enum class SubmitKind {
  normal,
  marker,   ///< a marker without a wait list: waits for all earlier commands
  barrier,  ///< a barrier without a wait list: all later commands wait for it, too
};

/// The order of one queue.
class QueueOrder {
 public:
  explicit QueueOrder(bool in_order) : in_order_(in_order) {}
  QueueOrder(const QueueOrder&) = delete;
  QueueOrder& operator=(const QueueOrder&) = delete;

  /// Appends the command and makes it wait for the commands that precede it in the order. False: out of memory, and the
  /// command has not been appended. All functions are thread-safe.
  bool enter(Command& command, SubmitKind kind);
  /// Removes a command that has ended: later commands need not wait for it.
  void forget(Command& command);
  /// Whether all commands have ended.
  [[nodiscard]] bool empty();
  /// Calls Command::abandon for every command that has not ended. Called once, for queues of terminable commands only.
  void abandon();

 private:
  void enter_in_order(Command& command);
  bool enter_out_of_order(Command& command, SubmitKind kind);
  /// Makes a marker or barrier wait for the commands that no earlier one has collected. `edges` has `uncollected_`
  /// edges.
  void collect(Command& command, Edge* edges) REQUIRES(mutex_);
  // The list of outstanding commands.
  void list(Command& command) REQUIRES(mutex_);
  void unlist(Command& command) REQUIRES(mutex_);

  const bool in_order_;
  std::atomic<std::uint64_t> issued_{0};  ///< sequence number of the last command

  /// The last command of an in-order queue, with a reference; null when it has ended. The order of the atomic
  /// exchanges of this pointer is the order of the queue, so no lock is needed.
  std::atomic<Command*> last_{nullptr};

  // The following members serve out-of-order queues, and in-order queues of contexts that can be terminated.
  Mutex mutex_;  ///< innermost; nothing is called under it
  struct Hook {
    static OrderHook& of(Command& command);
  };
  List<Command, Hook> outstanding_ GUARDED_BY(mutex_);  ///< commands that have not ended, newest first
  std::size_t uncollected_ GUARDED_BY(mutex_) =
      0;  ///< number of the newest outstanding commands that have not been collected
  Command* abandon_next_ GUARDED_BY(mutex_) = nullptr;  ///< the next command for `abandon`, while that runs
  Command* barrier_ GUARDED_BY(mutex_) = nullptr;       ///< the last barrier; null if it has ended
};

}  // namespace lanewise

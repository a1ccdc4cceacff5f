// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the order of enqueues becomes edges between commands (API 5.1, 5.12, 5.14).
///
/// In order: a command depends on the one enqueued last, and on nothing earlier. Out of order: it depends on the last
/// barrier only; a marker or barrier without a wait list collects everything that is outstanding. It ends after all of
/// that, so the next one that collects waits for it in place of what it has collected: every command is collected once,
/// and n commands have O(n) edges however markers and barriers are spread among them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace lanewise {

class Command;
struct Edge;

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

  /// Puts the command behind those that are there and makes it wait for what the order demands. False: out of memory,
  /// and nothing has happened. Thread-safe, as everything here.
  bool enter(Command& command, SubmitKind kind);
  /// The command has ended: nothing has to be ordered after it any more.
  void forget(Command& command);
  /// Whether everything has ended.
  [[nodiscard]] bool empty();
  /// Command::abandon for every command that has not ended. Once; needs commands that are `terminable`.
  void abandon();

 private:
  void enter_in_order(Command& command);
  bool enter_out_of_order(Command& command, SubmitKind kind);
  /// Makes a marker or barrier wait for what none before it has collected; needs `uncollected_` edges. Under mutex_.
  void collect(Command& command, Edge* edges);
  // The list of outstanding commands; under mutex_.
  void list(Command& command);
  void unlist(Command& command);

  const bool in_order_;
  std::atomic<std::uint64_t> issued_{0};

  /// In order: the command enqueued last, counted; null when it has ended. Exchanged by enqueues, so the order of the
  /// exchanges is the order of the queue and no lock is needed.
  std::atomic<Command*> last_{nullptr};

  // Out of order, and in contexts that can be terminated also in order.
  std::mutex mutex_;                ///< guards the list and barrier_; innermost, nothing is called under it
  Command* outstanding_ = nullptr;  ///< through OrderHook, newest first
  std::size_t uncollected_ = 0;     ///< of outstanding_, the newest ones: those that no marker or barrier has collected
  Command* abandon_next_ = nullptr;  ///< of outstanding_, while abandon() walks it: the next one
  Command* barrier_ = nullptr;       ///< the last barrier while it has not ended; one of outstanding_
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The parts of the commands in one list, and which of these commands is alone in it.
#pragma once

#include <atomic>

#include "runtime/exec/command.h"
#include "runtime/exec/parts.h"
#include "src/base/list.h"
#include "src/base/mutex.h"

namespace lanewise {

class PartsPool {
 public:
  /// @param threads  among which a command is divided
  /// @param nodes    to which they belong; from `kMany` threads on a command has parts on a single one too
  PartsPool(unsigned threads, unsigned nodes)
      : threads_(threads), nodes_(nodes), divides_(nodes > 1 || threads >= kMany) {}
  PartsPool(const PartsPool&) = delete;
  PartsPool& operator=(const PartsPool&) = delete;

  /// Divides the command, if that may be and is worth the while; its parts are not published yet.
  void divide(Command& command) {
    if (divides_ && command.execution.division().divisible()) divide_now(command);
  }
  /// All pieces of a command have been retired: its parts are for others.
  void give_back(Division& division);

  /// The only command in the list, or null. Called with the list's lock held.
  void set_alone(const Command* command);
  /// Claims of that command without the list's lock, if it has parts. No command: it has none, or nothing is open.
  [[nodiscard]] Chunk claim_alone(const Home& home) const;

 private:
  static constexpr unsigned kMany = 8;  ///< threads
  void divide_now(Command& command);

  const unsigned threads_;
  const unsigned nodes_;
  const bool divides_;
  Mutex mutex_;  ///< innermost
  struct Next {
    static Parts*& of(Parts& parts) { return parts.next; }
  };
  ForwardList<Parts, Next> unused_ GUARDED_BY(mutex_);
  alignas(64) std::atomic<Parts*> alone_{nullptr};
};

}  // namespace lanewise

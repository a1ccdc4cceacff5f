// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The parts of the commands in one ready list, and the parts of the command that is alone in the list.
#pragma once

#include <atomic>

#include "runtime/exec/command.h"
#include "runtime/exec/parts.h"
#include "src/base/cache_lines.h"
#include "src/base/list.h"
#include "src/base/mutex.h"

namespace lanewise {

/// The parts for the commands of one ready list.
class PartsPool {
 public:
  /// @param threads  the largest number of participants
  /// @param nodes    number of their nodes; with `kMany` threads or more a command has parts on a single node too
  PartsPool(unsigned threads, unsigned nodes)
      : threads_(threads), nodes_(nodes), divides_(nodes > 1 || threads >= kMany) {}
  PartsPool(const PartsPool&) = delete;
  PartsPool& operator=(const PartsPool&) = delete;

  /// Divides the command into parts if it can be divided (WorkDivision::divisible). The parts are not published yet.
  void divide(Command& command) {
    if (divides_ && command.execution.division().divisible()) divide_now(command);
  }
  /// Takes the parts of a command whose pieces have all been retired, for use by other commands.
  void give_back(WorkDivision& division);

  /// Sets the only command in the list, or null. Called with the list's lock held.
  void set_alone(const Command* command);
  /// Claims a chunk of the only command without the list's lock. The chunk has no command if that command has no parts,
  /// or nothing is open.
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
  alignas(kApartBytes) std::atomic<Parts*> alone_{nullptr};
};

}  // namespace lanewise

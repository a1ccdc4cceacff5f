// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the pieces of one command are divided where several threads take part: each node (nodes.h) has a part of them, and
/// threads take of their own node's part first.
///
/// A single counter for all threads is a cache line that travels through the machine with each chunk, and each journey
/// takes longer than all chunks of 30 us leave to it from about a hundred threads on (docs/scaling.md). A part is claimed
/// with one atomic subtraction on a line that stays in its node, and piece n of a kernel runs in the same node each
/// time, near to the memory that it has touched before.
///
/// Parts are never freed, only used again for other commands, so that a thread may try to claim without knowing whether
/// the command still exists: it fails as long as nothing is open, and what it has claimed keeps the command alive. For
/// that `open` counts down: one store opens a part for another command, whatever was there before.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "runtime/exec/pieces.h"

namespace lanewise {

class Command;

class Parts {
 public:
  static constexpr std::uint64_t kMost = std::uint64_t{1} << 62U;  ///< pieces of a command

  /// @param nodes    parts of each command, at least 1
  /// @param threads  that may take part, of all nodes
  Parts(unsigned nodes, unsigned threads);

  /// To be called while nothing is open and everything has been retired.
  void prepare(Command& command, Pieces range, std::uint64_t grain, std::uint64_t chunk);
  /// From now on its pieces can be claimed.
  void publish();

  /// Takes the next chunk, which keeps the command alive until it is retired. False: nothing is open.
  /// @param pieces  in: the chunk that the thread took before, if any
  [[nodiscard]] bool claim(Pieces& pieces, unsigned node);
  /// Of which pieces have been claimed; valid for who has claimed some.
  [[nodiscard]] Command& command() const { return *command_.load(std::memory_order_relaxed); }
  /// Pieces of this part have been run (kNoPart: those outside of the range). True: they were the last ones.
  [[nodiscard]] bool retire(unsigned part, std::uint64_t pieces);

  [[nodiscard]] std::uint64_t open() const;
  void set_chunk(std::uint64_t pieces) { chunk_.store(pieces, std::memory_order_relaxed); }

  Parts* next = nullptr;  ///< in a list of those that are not used

 private:
  struct Part {
    alignas(64) std::atomic<std::int64_t> open{0};   ///< pieces that are not taken; negative where threads came in vain
    std::atomic<std::uint64_t> last{0};              ///< end of its range
    alignas(64) std::atomic<std::uint64_t> left{0};  ///< pieces that have not been retired
    std::uint64_t pieces = 0;
  };
  [[nodiscard]] bool claim_from(unsigned index, Pieces& pieces);

  const unsigned nodes_;
  const unsigned threads_;  ///< of a node
  const std::unique_ptr<Part[]> parts_;
  std::atomic<Command*> command_{nullptr};
  std::atomic<std::uint64_t> grain_{1};
  std::atomic<std::uint64_t> chunk_{1};
  alignas(64) std::atomic<unsigned> open_parts_{0};
  std::atomic<unsigned> left_parts_{0};  ///< and one for the pieces outside of the range
};

}  // namespace lanewise

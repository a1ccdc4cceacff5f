// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Parts: the pieces of one command, divided among the nodes (nodes.h). A thread claims from the part of its own node
/// first.
///
/// A single counter for all threads is a cache line that every chunk moves through the machine. From about a hundred
/// threads on, chunks of 30 us leave less time than these moves take (docs/scaling.md). A claim from a part is one
/// atomic subtraction on a line that stays in its node. Piece n of a kernel runs in the same node each time, near the
/// memory that it has touched before.
///
/// Parts are never freed, only reused for other commands. A thread may therefore try to claim without knowing whether
/// the command still exists: the claim fails if nothing is open, and a claimed chunk keeps the command alive. For this
/// reason `open` counts down: one store opens a part for another command, whatever its value was before.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "runtime/exec/pieces.h"
#include "src/base/cache_lines.h"

namespace lanewise {

class Command;

/// The parts of one command.
class Parts {
 public:
  static constexpr std::uint64_t kMost = std::uint64_t{1} << 62U;  ///< largest number of pieces of a command

  /// @param nodes    number of parts of each command, at least 1
  /// @param threads  the largest number of participants in all nodes together
  Parts(unsigned nodes, unsigned threads);

  /// Divides the pieces of `range` among the parts. Called while nothing is open and all pieces have been retired.
  void prepare(Command& command, Pieces range, std::uint64_t grain, std::uint64_t chunk);
  /// Opens the parts: their pieces can be claimed from now on.
  void publish();

  /// Takes the next chunk, which keeps the command alive until it is retired. False: nothing is open.
  /// @param pieces  in: the chunk that the thread took before, if any; out: the chunk
  /// @param node    node of the calling thread
  [[nodiscard]] bool claim(Pieces& pieces, unsigned node);
  /// The command of the pieces; valid for threads that have claimed some and not retired them.
  [[nodiscard]] Command& command() const { return *command_.load(std::memory_order_relaxed); }
  /// Retires pieces of a part that have been run. kNoPart: all pieces before the range. True: all pieces of the command
  /// are retired now.
  [[nodiscard]] bool retire(unsigned part, std::uint64_t pieces);

  /// Number of pieces that are not taken yet.
  [[nodiscard]] std::uint64_t open() const;
  void set_chunk(std::uint64_t pieces) { chunk_.store(pieces, std::memory_order_relaxed); }

  Parts* next = nullptr;  ///< the next one in the list of unused parts (PartsPool)

 private:
  struct Part {
    alignas(kApartBytes) std::atomic<std::int64_t> open{0};   ///< pieces not taken; negative after failed claims
    std::atomic<std::uint64_t> last{0};                       ///< number of the piece after the part's last one
    alignas(kApartBytes) std::atomic<std::uint64_t> left{0};  ///< pieces that have not been retired
    std::uint64_t pieces = 0;                                 ///< all pieces of the part
  };
  [[nodiscard]] bool claim_from(unsigned index, Pieces& pieces);

  const unsigned nodes_;
  const unsigned threads_;  ///< threads of each node
  const std::unique_ptr<Part[]> parts_;
  std::atomic<Command*> command_{nullptr};
  std::atomic<std::uint64_t> grain_{1};
  std::atomic<std::uint64_t> chunk_{1};
  alignas(kApartBytes) std::atomic<unsigned> open_parts_{0};
  std::atomic<unsigned> left_parts_{0};  ///< parts that are not retired, plus one for the pieces before the range
};

}  // namespace lanewise

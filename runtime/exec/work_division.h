// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Divides the pieces of one run of a work among the participants, in chunks whose size follows from the measured times
/// of earlier chunks.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

#include "runtime/exec/nodes.h"
#include "runtime/exec/parts.h"

namespace lanewise {

/// The pieces of one run, and how far they have been taken and retired.
class WorkDivision {
 public:
  void set_count(std::uint64_t pieces) { count_ = pieces; }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] Pieces all() const { return {0, count_}; }
  [[nodiscard]] bool is_whole(Pieces pieces) const { return pieces.count() == count_; }

  /// Opens all pieces; called before the first claim. Chunks begin with `chunk` pieces and are multiples of `grain`
  /// pieces.
  void begin(std::uint64_t grain, std::uint64_t chunk) {
    grain_ = grain;
    chunk_.store(chunk, std::memory_order_relaxed);
    next_.store(0, std::memory_order_relaxed);
    left_.store(count_, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t grain() const { return grain_; }
  /// Pieces of the next chunk.
  [[nodiscard]] std::uint64_t chunk() const { return chunk_.load(std::memory_order_relaxed); }
  void set_chunk(std::uint64_t pieces) {
    chunk_.store(pieces, std::memory_order_relaxed);
    if (parts_ != nullptr) parts_->set_chunk(pieces);
  }
  /// Whether the next chunk takes all pieces, so that one thread runs them.
  [[nodiscard]] bool one_chunk() const { return chunk() >= count_; }

  /// Takes the next chunk. Thread-safe. False: all pieces are taken.
  /// @param pieces  in: the chunk that the thread took before, if any; out: the chunk
  [[nodiscard]] bool claim(Pieces& pieces, unsigned threads, const Home& home);
  /// Opens the pieces from `first` on again for all threads. Called by a thread that has claimed all pieces.
  void share_from(std::uint64_t first) { next_.store(first, std::memory_order_relaxed); }
  /// Number of pieces that are not taken yet.
  [[nodiscard]] std::uint64_t open() const {
    if (parts_ != nullptr) return parts_->open();
    return count_ - std::min(next_.load(std::memory_order_relaxed), count_);
  }
  /// Retires `run` pieces that have been run, all in the part of `pieces`. True: all pieces of the work are retired
  /// now.
  [[nodiscard]] bool retire(Pieces pieces, std::uint64_t run) {
    if (parts_ != nullptr) return parts_->retire(pieces.part, run);
    return left_.fetch_sub(run, std::memory_order_acq_rel) == run;
  }

  /// Whether the pieces may be divided among nodes: there are several chunks.
  [[nodiscard]] bool divisible() const { return parts_ == nullptr && !one_chunk() && count_ <= Parts::kMost; }
  /// Moves all pieces that are not taken yet to `parts`, from which threads then claim. No thread may claim meanwhile.
  void divide(Parts& parts, Command& command) {
    parts_ = &parts;
    parts.prepare(command, {next_.load(std::memory_order_relaxed), count_}, grain_, chunk());
  }
  [[nodiscard]] Parts* parts() const { return parts_; }
  /// Gives up the parts; called when all pieces have been retired.
  [[nodiscard]] Parts* release_parts() { return std::exchange(parts_, nullptr); }

 private:
  std::uint64_t count_ = 0;
  std::uint64_t grain_ = 1;
  std::atomic<std::uint64_t> next_{0};   ///< number of the first piece that is not taken
  std::atomic<std::uint64_t> left_{0};   ///< pieces that have not been retired
  std::atomic<std::uint64_t> chunk_{1};  ///< pieces of the next chunk
  Parts* parts_ = nullptr;               ///< null: threads claim from this object
};

inline bool WorkDivision::claim(Pieces& pieces, unsigned threads, const Home& home) {
  if (parts_ != nullptr) return parts_->claim(pieces, home.node());
  const std::uint64_t next = next_.load(std::memory_order_relaxed);
  if (next >= count_) return false;
  std::uint64_t size = chunk();
  if (size < count_) size = next_size(count_ - next, size, grain_, threads);
  const std::uint64_t first = next_.fetch_add(size, std::memory_order_relaxed);
  if (first >= count_) return false;
  const std::uint64_t last = std::min(size, count_ - first) + first;
  pieces = {.first = first, .last = last, .part = Pieces::kNoPart, .closes = last == count_};
  return true;
}

}  // namespace lanewise

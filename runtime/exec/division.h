// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the pieces of one run of a work are divided among the threads that take part: in chunks, whose size follows from
/// the measured times of earlier chunks.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace lanewise {

/// Pieces [first, last) of a work.
struct Pieces {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  [[nodiscard]] std::uint64_t count() const { return last - first; }
};

class Division {
 public:
  void set_count(std::uint64_t pieces) { count_ = pieces; }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] Pieces all() const { return {0, count_}; }
  [[nodiscard]] bool is_whole(Pieces pieces) const { return pieces.count() == count_; }
  [[nodiscard]] bool is_last(Pieces pieces) const { return pieces.last == count_; }

  /// To be called before the first claim. Chunks are multiples of `grain`.
  void begin(std::uint64_t grain, std::uint64_t chunk) {
    grain_ = grain;
    chunk_.store(chunk, std::memory_order_relaxed);
    next_.store(0, std::memory_order_relaxed);
    left_.store(count_, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t grain() const { return grain_; }
  /// Pieces of the next chunk.
  [[nodiscard]] std::uint64_t chunk() const { return chunk_.load(std::memory_order_relaxed); }
  void set_chunk(std::uint64_t pieces) { chunk_.store(pieces, std::memory_order_relaxed); }
  /// Whether one thread will run all pieces, as far as is known now.
  [[nodiscard]] bool one_chunk() const { return chunk() >= count_; }

  /// Takes the next chunk. Called by any thread. False: all are taken.
  [[nodiscard]] bool claim(Pieces& pieces, unsigned threads);
  /// Called by a thread that has claimed all pieces: those from `first` on can be claimed again by all threads.
  void share_from(std::uint64_t first) { next_.store(first, std::memory_order_relaxed); }
  /// Not taken yet.
  [[nodiscard]] std::uint64_t open() const { return count_ - std::min(next_.load(std::memory_order_relaxed), count_); }
  /// Reports a chunk that has been run. True: it was the last one.
  [[nodiscard]] bool retire(Pieces pieces) {
    return left_.fetch_sub(pieces.count(), std::memory_order_acq_rel) == pieces.count();
  }

 private:
  std::uint64_t count_ = 0;
  std::uint64_t grain_ = 1;
  std::atomic<std::uint64_t> next_{0};  ///< the first piece that is not taken
  std::atomic<std::uint64_t> left_{0};  ///< pieces that have not been retired
  std::atomic<std::uint64_t> chunk_{1};
};

inline bool Division::claim(Pieces& pieces, unsigned threads) {
  const std::uint64_t next = next_.load(std::memory_order_relaxed);
  if (next >= count_) return false;
  std::uint64_t size = chunk();
  if (size < count_) {
    // Chunks become smaller towards the end, so that all threads finish at about the same time.
    const std::uint64_t fair = (count_ - next) / (2u * std::uint64_t{threads});
    size = std::min(size, std::max({fair, size / 4, grain_}));
    if (grain_ != 1) size = (size + grain_ - 1) / grain_ * grain_;
  }
  const std::uint64_t first = next_.fetch_add(size, std::memory_order_relaxed);
  if (first >= count_) return false;
  pieces = {first, std::min(size, count_ - first) + first};
  return true;
}

}  // namespace lanewise

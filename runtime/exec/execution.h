// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One run of a work: how its pieces are divided among the threads that take part, and what came of them.
///
/// Threads take chunks of pieces. A chunk has the size that takes some 30 us, in multiples of the work's grain: a work
/// that nothing is known of begins with one grain, and each chunk tells how large the next ones may be. One that is known
/// to be small is one chunk; but a thread that finds its first grain to take long gives the rest to all.
#pragma once

#include <CL/cl.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "runtime/exec/work.h"

namespace lanewise {

class Worker;

/// Pieces [first, last) of a work.
struct Pieces {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  [[nodiscard]] std::uint64_t count() const { return last - first; }
};

class Execution {
 public:
  /// Takes the complete work; null: nothing to do.
  void set(WorkPtr work);
  [[nodiscard]] bool has_pieces() const { return pieces_ != 0; }
  [[nodiscard]] std::uint64_t stack_bytes() const { return stack_bytes_; }  ///< Work::stack_bytes
  /// No work, or one that has been stopped when its context is terminated.
  [[nodiscard]] bool stoppable() const { return stoppable_; }
  /// Of all pieces on one thread, in nanoseconds, as far as it is known; 0: it is not. Estimated again by `prepare`,
  /// while the thread that enqueued may look.
  [[nodiscard]] std::uint64_t cost_ns() const { return cost_ns_.load(std::memory_order_relaxed); }

  /// Before the first claim. @param threads  that may take part
  void prepare(unsigned threads);
  /// Whether one thread is to run all of it, as far as is known now.
  [[nodiscard]] bool one_chunk() const { return chunk_.load(std::memory_order_relaxed) >= pieces_; }
  [[nodiscard]] Pieces all() const { return {0, pieces_}; }
  /// The next chunk. Any thread. False: all are taken.
  bool claim(Pieces& pieces, unsigned threads);
  [[nodiscard]] bool is_whole(Pieces pieces) const { return pieces.count() == pieces_; }
  [[nodiscard]] bool is_last(Pieces pieces) const { return pieces.last == pieces_; }
  /// Whether a chunk takes much longer than most, as far as that is known.
  [[nodiscard]] bool lasts(Pieces pieces) const;
  /// How many more threads there is work for in what is left, beside one that takes part anyway.
  [[nodiscard]] unsigned helpers(unsigned threads) const;

  /// What `run` found out.
  struct After {
    unsigned wanted = 0;  ///< more threads that there is work for
    bool shared = false;  ///< ran only the beginning: the rest is for all threads
  };
  /// Runs a chunk on the calling thread, or its beginning: `pieces` is then what was run.
  After run(Worker& worker, Pieces& pieces, unsigned threads);
  /// What has not begun will not run.
  void fail(cl_int error) { error_.store(error, std::memory_order_relaxed); }

  /// Gives back a chunk that has been run. True: it was the last one.
  [[nodiscard]] bool retire(Pieces pieces) {
    return left_.fetch_sub(pieces.count(), std::memory_order_acq_rel) == pieces.count();
  }
  /// After that: books what it took. CL_SUCCESS, or the first error.
  cl_int result() const;
  /// Lets the work go. @param ran  it has come to its end, or there were no pieces
  void end(bool ran);

 private:
  [[nodiscard]] static std::uint64_t cost_of(const Work& work);
  After run_whole(Worker& worker, Pieces& pieces, unsigned threads);
  bool execute(Worker& worker, std::uint64_t first, std::uint64_t last);
  void learn(std::uint64_t pieces, std::uint64_t ns, unsigned threads);

  WorkPtr work_;
  std::uint64_t pieces_ = 0;
  std::atomic<std::uint64_t> cost_ns_{0};

  std::uint64_t grain_ = 1;
  std::atomic<std::uint64_t> next_{0};      ///< the first piece that is not taken
  std::atomic<std::uint64_t> left_{0};      ///< not finished
  std::atomic<std::uint64_t> chunk_{1};     ///< pieces of the next chunk
  std::atomic<std::uint64_t> spent_ns_{0};  ///< on all threads; zero: not measured
  std::uint64_t stack_bytes_ = 0;
  std::atomic<cl_int> error_{CL_SUCCESS};
  bool stoppable_ = true;
};

inline bool Execution::claim(Pieces& pieces, unsigned threads) {
  const std::uint64_t next = next_.load(std::memory_order_relaxed);
  if (next >= pieces_) return false;
  std::uint64_t size = chunk_.load(std::memory_order_relaxed);
  if (size < pieces_) {
    // Towards the end smaller chunks, so that all threads end together.
    const std::uint64_t fair = (pieces_ - next) / (2u * std::uint64_t{threads});
    size = std::min(size, std::max({fair, size / 4, grain_}));
    if (grain_ != 1) size = (size + grain_ - 1) / grain_ * grain_;
  }
  const std::uint64_t first = next_.fetch_add(size, std::memory_order_relaxed);
  if (first >= pieces_) return false;
  pieces = {first, std::min(size, pieces_ - first) + first};
  return true;
}

}  // namespace lanewise

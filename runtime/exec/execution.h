// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One run of a work: how its pieces are divided among the threads that take part, and what came of them.
///
/// Threads take chunks of pieces. A chunk has the size that takes some 30 us, in multiples of the work's grain: a work
/// that nothing is known of begins with one grain, and each chunk tells how large the next ones may be. One that is known
/// to be small is one chunk; but a thread that finds its first grain to take long gives the rest to all.
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <cstdint>

#include "runtime/exec/division.h"
#include "runtime/exec/work.h"

namespace lanewise {

class Worker;

class Execution {
 public:
  /// Takes the complete work; null: nothing to do.
  void set(WorkPtr work);
  /// Its pieces, and who has which.
  [[nodiscard]] Division& division() { return division_; }
  [[nodiscard]] const Division& division() const { return division_; }
  [[nodiscard]] std::uint64_t stack_bytes() const { return stack_bytes_; }  ///< Work::stack_bytes
  /// No work, or one that has been stopped when its context is terminated.
  [[nodiscard]] bool stoppable() const { return stoppable_; }
  /// Of all pieces on one thread, in nanoseconds, as far as it is known; 0: it is not. Estimated again by `prepare`,
  /// while the thread that enqueued may look.
  [[nodiscard]] std::uint64_t cost_ns() const { return cost_ns_.load(std::memory_order_relaxed); }

  /// Before the first claim. @param threads  that may take part
  void prepare(unsigned threads);
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

  /// When the last chunk has been retired: books what it took. CL_SUCCESS, or the first error.
  [[nodiscard]] cl_int result() const;
  /// Lets the work go. @param ran  it has come to its end, or there were no pieces
  void end(bool ran);

 private:
  After run_whole(Worker& worker, Pieces& pieces, unsigned threads);
  bool execute(Worker& worker, std::uint64_t first, std::uint64_t last);
  void learn(std::uint64_t pieces, std::uint64_t ns, unsigned threads);

  WorkPtr work_;
  Division division_;
  std::atomic<std::uint64_t> cost_ns_{0};
  std::atomic<std::uint64_t> spent_ns_{0};  ///< on all threads; zero: not measured
  std::uint64_t stack_bytes_ = 0;
  std::atomic<cl_int> error_{CL_SUCCESS};
  bool stoppable_ = true;
};

}  // namespace lanewise

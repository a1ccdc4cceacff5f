// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One run of a work: how its pieces are divided among the threads that take part, its measured time and its result.
///
/// Threads take chunks of pieces. A chunk should take about 30 us and is a multiple of the work's grain. An unknown
/// work begins with one grain, and the time of each chunk sets the size of the next ones. A work that is known to be
/// small is one chunk; if its first grain takes long after all, the thread offers the rest to all threads.
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
  /// Sets the work to run; null: nothing to do.
  void set(WorkPtr work);
  /// Its pieces, and which of them have been taken.
  [[nodiscard]] Division& division() { return division_; }
  [[nodiscard]] const Division& division() const { return division_; }
  /// Work::ordered, of the work to run.
  [[nodiscard]] bool ordered() const { return work_->ordered(); }
  /// Work::stack_bytes, rounded up; 64 MiB stands for all that is more.
  [[nodiscard]] std::uint64_t stack_bytes() const { return std::uint64_t{stack_kib_} * 1024; }
  /// Whether there is no work, or one that can be stopped when its context is terminated.
  [[nodiscard]] bool stoppable() const { return stoppable_; }
  /// Nanoseconds of all pieces on one thread; 0: not known. Atomic, because `prepare` estimates it again while the
  /// thread that enqueued may read it.
  [[nodiscard]] std::uint64_t cost_ns() const { return cost_ns_.load(std::memory_order_relaxed); }

  /// To be called before the first claim. @param threads  that may take part
  void prepare(unsigned threads);
  /// Whether the pieces take much longer than a usual chunk. True if that is not known.
  [[nodiscard]] bool lasts(Pieces pieces) const;
  /// For how many more threads there is work left, in addition to one that takes part anyway.
  [[nodiscard]] unsigned helpers(unsigned threads) const;

  /// The result of `run`.
  struct After {
    std::uint64_t ns = 0;  ///< that have not been reported yet (`report`); 0: not measured
    bool ran = false;      ///< without an error
    bool shared = false;   ///< only the first pieces have been run, all threads may take the rest
  };
  /// Runs a chunk, or its first pieces, on the calling thread; `pieces` is set to those that were run.
  After run(Worker& worker, Pieces& pieces, unsigned threads);
  /// Adds to the measured time. To be called before what took it is retired.
  void report(std::uint64_t ns) {
    if (ns != 0) spent_ns_.fetch_add(ns, std::memory_order_relaxed);
  }
  /// After a chunk that took `ns`, while others are open: for how many more threads there is work.
  [[nodiscard]] unsigned more_threads(std::uint64_t ns, unsigned threads) const;
  /// Chunks that have not begun will not run.
  void fail(cl_int error) { error_.store(error, std::memory_order_relaxed); }

  /// To be called when the last chunk has been retired: tells the work its measured time. The first error or
  /// CL_SUCCESS.
  [[nodiscard]] cl_int result() const;
  /// No chunk will run any more. @param ran  it has come to its end, or there were no pieces
  void finish(bool ran) {
    if (ran && work_) work_->finish();
  }
  /// Lets the work go.
  void drop() { work_.reset(); }

 private:
  After run_whole(Worker& worker, Pieces& pieces, unsigned threads);
  bool execute(Worker& worker, std::uint64_t first, std::uint64_t last);
  void learn(std::uint64_t pieces, std::uint64_t ns, unsigned threads);

  WorkPtr work_;
  Division division_;
  std::atomic<std::uint64_t> cost_ns_{0};
  std::atomic<std::uint64_t> spent_ns_{0};  ///< by all threads together; zero: not measured
  std::atomic<cl_int> error_{CL_SUCCESS};
  std::uint16_t stack_kib_ = 0;
  bool stoppable_ = true;
};

}  // namespace lanewise

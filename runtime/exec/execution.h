// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One run of a work: the division of its pieces among the participants, its measured time and its result.
///
/// Threads take chunks of pieces. A chunk should take about 30 us and is a multiple of the work's grain. A work of
/// unknown cost begins with one grain, and the time of each chunk sets the size of the next ones. A work that is known
/// to be small is one chunk; if its first grain takes long after all, the thread offers the rest to all threads.
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <cstdint>

#include "runtime/exec/work.h"
#include "runtime/exec/work_division.h"

namespace lanewise {

class Event;
class Worker;

class Execution {
 public:
  /// Sets the work to run; null: nothing to do.
  void set(WorkPtr work);
  /// The work to run; null: nothing to do, or the run has ended.
  [[nodiscard]] const Work* work() const { return work_.get(); }
  /// Whether the work is a LateWork that has not been completed.
  [[nodiscard]] bool is_late() const { return division_.count() == kPiecesLater; }
  /// Completes a LateWork; called when the command has become ready.
  void complete();
  /// The pieces, and which of them have been taken.
  [[nodiscard]] WorkDivision& division() { return division_; }
  [[nodiscard]] const WorkDivision& division() const { return division_; }
  /// Work::ordered of the work to run.
  [[nodiscard]] bool ordered() const { return work_->ordered(); }
  /// Work::stack_bytes rounded up to KiB, at most 64 MiB.
  [[nodiscard]] std::uint64_t stack_bytes() const { return std::uint64_t{stack_kib_} * 1024; }
  /// Whether the run may be stopped when its context is terminated: Work::stoppable, or there is no work.
  [[nodiscard]] bool stoppable() const { return stoppable_; }
  /// Nanoseconds of all pieces on one thread; 0: not known. Atomic, because `prepare` estimates it again while the
  /// thread that enqueued may read it.
  [[nodiscard]] std::uint64_t cost_ns() const { return cost_ns_.load(std::memory_order_relaxed); }

  /// Estimates the cost and opens the pieces; called before the first claim.
  /// @param threads  the largest number of participants
  void prepare(unsigned threads);
  /// Whether the pieces take much longer than a usual chunk. True if that is not known.
  [[nodiscard]] bool lasts(Pieces pieces) const;
  /// Number of threads that there is work left for, beside one participant.
  [[nodiscard]] unsigned helpers(unsigned threads) const;

  /// The result of `run`.
  struct After {
    std::uint64_t ns = 0;  ///< nanoseconds to report (`report`); 0: not measured
    bool ran = false;      ///< the pieces have been run without an error
    bool shared = false;   ///< only the first pieces have been run, and the rest is open to all threads
  };
  /// Runs a chunk, or its first pieces, on the calling thread, and sets `pieces` to those that have been run.
  After run(Worker& worker, Pieces& pieces, unsigned threads);
  /// Adds to the measured time; called before the pieces that took it are retired.
  void report(std::uint64_t ns) {
    if (ns != 0) spent_ns_.fetch_add(ns, std::memory_order_relaxed);
  }
  /// Number of further threads that there is work for, after a chunk that took `ns` while others are open.
  [[nodiscard]] unsigned more_threads(std::uint64_t ns, unsigned threads) const;
  /// Notes an error. Chunks that have not begun will not run.
  void fail(cl_int error) { error_.store(error, std::memory_order_relaxed); }

  /// Tells the work its measured time; called when the last chunk has been retired. Returns the first error, or
  /// CL_SUCCESS.
  [[nodiscard]] cl_int result() const;
  /// Calls Work::finish if the run has come to its end; called when no chunk will run any more.
  /// @param ran  all pieces have been run, or there were none
  void finish(bool ran, const Event* command) {
    if (ran && work_) work_->finish(command);
  }
  /// Releases the work.
  void drop() { work_.reset(); }

 private:
  void take_sizes();
  After run_whole(Worker& worker, Pieces& pieces, unsigned threads);
  bool execute(Worker& worker, std::uint64_t first, std::uint64_t last);
  void learn(std::uint64_t pieces, std::uint64_t ns, unsigned threads);

  WorkPtr work_;
  WorkDivision division_;
  std::atomic<std::uint64_t> cost_ns_{0};
  std::atomic<std::uint64_t> spent_ns_{0};  ///< measured time, summed over all threads; 0: not measured
  std::atomic<cl_int> error_{CL_SUCCESS};
  std::uint16_t stack_kib_ = 0;
  bool stoppable_ = true;
};

}  // namespace lanewise

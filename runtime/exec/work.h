// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The interface between the scheduler and the bodies of commands: kernels, copies, fills and maps.
#pragma once

#include <CL/cl.h>

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <memory>
#include <utility>

#include "runtime/process/imported_memory.h"

namespace lanewise {

class Event;
class Worker;

/// The body of a command. A work is complete before it is published, and constant from then on. It may run any number
/// of times, one after the other or simultaneously, as recorded commands do. The state of one run (taken pieces, time,
/// result) is in an Execution. A work holds `Ref`s to all objects that it uses, and is destroyed with its last owner
/// (WorkPtr).
class Work {
 public:
  Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  virtual ~Work() = default;

  /// Number of pieces, numbered [0, n). They may run on any threads at once and, unless the work is `ordered`, in any
  /// order. 0: there is nothing to do.
  [[nodiscard]] virtual std::uint64_t pieces() const = 0;

  /// Threads take pieces in multiples of this (at least 1), because fewer pieces cost as much. The grain is a property
  /// of the code, not an estimate of its cost.
  [[nodiscard]] virtual std::uint64_t grain() const { return 1; }

  /// Cost of one piece in nanoseconds; 0: not known. The cost decides how pieces are grouped, and whether a command is
  /// so small that waking a thread for it would cost more than the command.
  [[nodiscard]] virtual std::uint64_t piece_ns() const { return 0; }

  /// Whether a piece may wait for pieces with lower numbers, so that these must begin before it.
  [[nodiscard]] virtual bool ordered() const { return false; }

  /// Bytes of stack that `run` may need. A waiting thread that has less does not run the command.
  [[nodiscard]] virtual std::uint64_t stack_bytes() const { return std::uint64_t{64} * 1024; }

  /// Receives the time of all pieces of a run, in nanoseconds summed over the threads that ran them. Called at most
  /// once for each run, before `finish`; not every run is measured.
  virtual void measured(std::uint64_t /*ns*/) const noexcept {}

  /// Runs the pieces [first, last) on the calling thread. Returns CL_SUCCESS or the (negative) error that becomes the
  /// event's status. After an error the pieces that have not started are skipped. Never blocks, never throws.
  virtual cl_int run(Worker& worker, std::uint64_t first, std::uint64_t last) const noexcept = 0;

  /// Whether a run accesses memory that other processes can take away. Called for each chunk, but only in processes
  /// that have such memory.
  [[nodiscard]] virtual Imported imported() const noexcept { return Imported::none; }

  /// Whether Termination::request stops a run. A run that cannot be stopped continues to its end.
  [[nodiscard]] virtual bool stoppable() const { return false; }

  /// Whether a run may add children to its command (Queue::submit_child). Such a work has a command of its own, so that
  /// later commands wait for the children.
  [[nodiscard]] virtual bool has_children() const { return false; }

  /// Ends a run, for example writes printf output. Called once for each run, on one thread, after the last piece and
  /// before the event's status is published.
  /// @param command  the command of the run, Worker::running during `run`
  virtual void finish(const Event* /*command*/) const noexcept {}

 private:
  friend class WorkPtr;
  mutable std::atomic<std::uint32_t> owners_{1};  ///< number of WorkPtr that own the work
};

/// Work::pieces of a LateWork that is not complete.
inline constexpr std::uint64_t kPiecesLater = ~std::uint64_t{0};

/// The work of one command, which is completed when the last dependency of the command has ended. Until then it answers
/// kPiecesLater, and only `stoppable` as it does later.
class LateWork : public Work {
 public:
  /// Completes the work; called once, before anything else of a run. Returns CL_SUCCESS or the error that becomes the
  /// event's status; the work then does not run. Never blocks.
  [[nodiscard]] virtual cl_int complete() const noexcept = 0;
};

/// Owning pointer to a work. Its owners are the one command that runs it, or a recorded command and each of its runs.
class WorkPtr {
 public:
  WorkPtr() = default;
  WorkPtr(std::nullptr_t) {}  // NOLINT(google-explicit-constructor)
  template <std::derived_from<Work> T>
  WorkPtr(std::unique_ptr<T> work) : work_(work.release()) {}  // NOLINT(google-explicit-constructor)
  WorkPtr(WorkPtr&& other) noexcept : work_(std::exchange(other.work_, nullptr)) {}
  WorkPtr& operator=(WorkPtr&& other) noexcept {
    std::swap(work_, other.work_);
    return *this;
  }
  ~WorkPtr() { reset(); }

  /// Adds an owner of the same work.
  [[nodiscard]] WorkPtr share() const {
    WorkPtr other;
    if (work_ != nullptr) work_->owners_.fetch_add(1, std::memory_order_relaxed);
    other.work_ = work_;
    return other;
  }
  void reset() noexcept {
    const Work* work = std::exchange(work_, nullptr);
    if (work == nullptr) return;
    // The only owner needs no atomic exchange, because only an owner can add another.
    if (work->owners_.load(std::memory_order_acquire) == 1 ||
        work->owners_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete work;
  }

  [[nodiscard]] const Work* get() const { return work_; }
  const Work* operator->() const { return work_; }
  const Work& operator*() const { return *work_; }
  explicit operator bool() const { return work_ != nullptr; }

 private:
  const Work* work_ = nullptr;
};

/// A work that costs less, in nanoseconds, runs on one thread.
inline constexpr std::uint64_t kSmallWorkNs = 20'000;

/// Estimated nanoseconds of a whole work on one thread; 0: not known.
inline std::uint64_t cost_of(const Work& work) {
  constexpr std::uint64_t kMost = 1'000'000'000;
  return std::min(work.piece_ns(), kMost) * std::min(work.pieces(), kMost);
}

}  // namespace lanewise

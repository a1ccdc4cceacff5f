// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a command does, as far as the scheduler must know it.
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <concepts>
#include <cstdint>
#include <memory>
#include <utility>

namespace lanewise {

class Worker;

/// The body of a command: complete before it is published, and constant from then on. It may be run any number of
/// times, one after the other or at once, as that of a recorded command is: what belongs to one run (which pieces are
/// taken, what they cost, how it ended) is in an Execution. Destroyed when the last command that has it has ended.
/// A work holds `Ref`s to everything that it touches. The seam between the scheduler and kernels, copies, fills, maps.
class Work {
 public:
  Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  virtual ~Work() = default;

  /// Independent pieces, numbered [0, n), that may run on any threads at once. 0: nothing to do, ends at once.
  [[nodiscard]] virtual std::uint64_t pieces() const = 0;

  /// Pieces are taken in multiples of this (at least 1): fewer at once cost as much. A property of the code, not a
  /// guess about its cost.
  [[nodiscard]] virtual std::uint64_t grain() const { return 1; }

  /// What one piece costs, in nanoseconds; 0: not known. Decides how pieces are grouped, and whether a command is so
  /// small that waking a thread for it would cost more than the command.
  [[nodiscard]] virtual std::uint64_t piece_ns() const { return 0; }

  /// Stack that `run` may need, in bytes. A thread that waits and has less leaves the command to others.
  [[nodiscard]] virtual std::uint64_t stack_bytes() const { return std::uint64_t{64} * 1024; }

  /// Tells what all pieces of a run together took, summed over the threads that ran them, in nanoseconds. Called at
  /// most once for each run, before `finish`; not every run is measured.
  virtual void measured(std::uint64_t /*ns*/) const noexcept {}

  /// Runs the pieces [first, last) on the calling thread. Returns CL_SUCCESS or the (negative) error that becomes the
  /// event's status; after an error the pieces that have not started are skipped. Never blocks, never throws.
  virtual cl_int run(Worker& worker, std::uint64_t first, std::uint64_t last) const noexcept = 0;

  /// Whether Termination::request stops it. What cannot be stopped, and has begun, goes on to its end.
  [[nodiscard]] virtual bool stoppable() const { return false; }

  /// Called once for each run, on one thread after the last piece and before the event's status is published (printf
  /// output).
  virtual void finish() const noexcept {}

 private:
  friend class WorkPtr;
  mutable std::atomic<std::uint32_t> owners_{1};
};

/// Owning pointer to a work: of the one command that runs it, or of a recorded command and of each of its runs.
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

  /// One more owner of the same work.
  [[nodiscard]] WorkPtr share() const {
    WorkPtr other;
    if (work_ != nullptr) work_->owners_.fetch_add(1, std::memory_order_relaxed);
    other.work_ = work_;
    return other;
  }
  void reset() noexcept {
    const Work* work = std::exchange(work_, nullptr);
    if (work == nullptr) return;
    // Who is alone has nobody who could add an owner, and needs no exchange.
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

}  // namespace lanewise

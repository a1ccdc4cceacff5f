// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a command does, as far as the scheduler must know it.
#pragma once

#include <CL/cl.h>

#include <cstdint>
#include <memory>

namespace lanewise {

class Worker;

/// The body of a command: complete before it is published, run exactly once, destroyed when the command has ended.
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

  /// Tells what all pieces together took, summed over the threads that ran them, in nanoseconds. Called at most once,
  /// before `finish`; not every run is measured.
  virtual void measured(std::uint64_t /*ns*/) noexcept {}

  /// Runs the pieces [first, last) on the calling thread. Returns CL_SUCCESS or the (negative) error that becomes the
  /// event's status; after an error the pieces that have not started are skipped. Never blocks, never throws.
  virtual cl_int run(Worker& worker, std::uint64_t first, std::uint64_t last) noexcept = 0;

  /// Whether Termination::request stops it. What cannot be stopped, and has begun, goes on to its end.
  [[nodiscard]] virtual bool stoppable() const { return false; }

  /// Called once on one thread after the last piece and before the event's status is published (printf output).
  virtual void finish() noexcept {}
};

using WorkPtr = std::unique_ptr<Work>;

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The threads that run commands of a device at the moment: threads of its pool that have been called, and threads of
/// the application that wait for something.
#pragma once

#include <atomic>

#include "runtime/exec/nodes.h"
#include "runtime/exec/seats.h"
#include "runtime/exec/thread_pool.h"

namespace lanewise {

/// Counts the participants, calls more threads, and limits their number. All counts are sequentially consistent, for
/// the reason that ReadyList::count gives.
class Participants {
 public:
  /// @param threads  participants at once, at least 1. `entry(argument)` is what a called thread runs.
  /// @param cpus     the processors on which they run
  Participants(unsigned threads, const host::CpuList& cpus, unsigned nodes, ThreadPool::Entry entry, void* argument)
      : threads_(static_cast<int>(threads)),
        nodes_(cpus, threads, nodes),
        seats_(cpus),
        pool_(threads, entry, argument) {}
  Participants(const Participants&) = delete;
  Participants& operator=(const Participants&) = delete;

  [[nodiscard]] unsigned limit() const { return static_cast<unsigned>(threads_); }
  /// To which they belong.
  [[nodiscard]] const Nodes& nodes() const { return nodes_; }

  /// Seats::settle of the calling thread, which takes of the part of its processor then.
  void settle(Seats::Seat& seat, Home& home) noexcept {
    seats_.settle(seat);
    if (seat.processor() >= 0) home.move(static_cast<unsigned>(seat.processor()));
  }

  /// The calling thread becomes a participant unless the limit is reached; then it must call `leave` later.
  [[nodiscard]] bool join();
  void leave() { running_.fetch_sub(1); }
  [[nodiscard]] bool has_place() const { return running_.load() < threads_; }
  /// What a called thread uses instead of `join`.
  [[nodiscard]] bool arrive() {
    const bool joined = join();
    requested_.fetch_sub(1);
    return joined;
  }

  /// While this object exists, the calling participant looks for work by itself and need not be called.
  class Idle {
   public:
    explicit Idle(Participants& participants) : participants_(participants) { participants_.idle_.fetch_add(1); }
    ~Idle() { participants_.idle_.fetch_sub(1); }
    Idle(const Idle&) = delete;
    Idle& operator=(const Idle&) = delete;

   private:
    Participants& participants_;
  };

  /// Calls `wanted` threads, minus those that are idle, up to the limit. False: the system gives no thread.
  bool call(int wanted);
  /// Calls all sleeping threads, even above the limit.
  void call_sleepers();

 private:
  const int threads_;
  const Nodes nodes_;
  Seats seats_;
  ThreadPool pool_;
  alignas(64) std::atomic<int> running_{0};  ///< idle ones included
  std::atomic<int> idle_{0};                 ///< those that spin for work
  std::atomic<int> requested_{0};            ///< called, but not arrived yet
};

}  // namespace lanewise

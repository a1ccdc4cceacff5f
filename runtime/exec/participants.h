// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The threads that run commands of a device at this moment: those of its pool that have been called, and threads of the
/// application that wait.
#pragma once

#include <atomic>

#include "runtime/exec/thread_pool.h"

namespace lanewise {

/// Counts them, calls more, and keeps them below a limit. All counts are sequentially consistent (ReadyList::count).
class Participants {
 public:
  /// @param threads  participants at once, at least 1. `entry(argument)` is what a called thread runs.
  Participants(unsigned threads, ThreadPool::Entry entry, void* argument)
      : threads_(static_cast<int>(threads)), pool_(threads, entry, argument) {}
  Participants(const Participants&) = delete;
  Participants& operator=(const Participants&) = delete;

  [[nodiscard]] unsigned limit() const { return static_cast<unsigned>(threads_); }

  /// The calling thread becomes one, if there is place. Each has to leave.
  [[nodiscard]] bool join();
  void leave() { running_.fetch_sub(1); }
  [[nodiscard]] bool has_place() const { return running_.load() < threads_; }
  /// Of a thread that has been called, instead of `join`.
  [[nodiscard]] bool arrive() {
    const bool joined = join();
    requested_.fetch_sub(1);
    return joined;
  }

  /// While it lives, the calling participant looks for work and need not be called.
  class Idle {
   public:
    explicit Idle(Participants& participants) : participants_(participants) { participants_.idle_.fetch_add(1); }
    ~Idle() { participants_.idle_.fetch_sub(1); }
    Idle(const Idle&) = delete;
    Idle& operator=(const Idle&) = delete;

   private:
    Participants& participants_;
  };

  /// Calls as many more, less those that are idle, as there is place for. False: no thread is to be had.
  bool call(int wanted);
  /// Calls those that sleep, whether there is place for them or not.
  void call_sleepers();

 private:
  const int threads_;
  ThreadPool pool_;
  alignas(64) std::atomic<int> running_{0};  ///< idle ones included
  std::atomic<int> idle_{0};                 ///< those that spin for work
  std::atomic<int> requested_{0};            ///< called, and not here yet
};

}  // namespace lanewise

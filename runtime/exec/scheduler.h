// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs commands whose dependencies are gone on the threads of one TBB arena, and on threads that wait for them.
///
/// Ready commands stand in one list. A participant (an arena task, or a thread inside `wait`) takes a chunk of pieces
/// from a command, runs it, and takes the next one; a command of several chunks stays in the list, so any number of
/// participants share it and any number of commands run at once. The participant that finishes the last piece ends the
/// command, and if that makes a small command ready it runs it next, without waking anybody. At most `threads`
/// participants run at once. Nothing waits inside a participant.
///
/// Waking a sleeping thread costs more than a small command. So a small command that an application enqueues starts
/// nobody by itself: it is collected until some microseconds of work have come together, a flush or query asks for it,
/// or a waiting thread runs it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "runtime/exec/event.h"

namespace lanewise {

class Arena;
class Worker;

class Scheduler {
 public:
  /// @param threads  participants at once, at least 1. Starts none: the first command that needs one does.
  explicit Scheduler(unsigned threads);
  ~Scheduler() = delete;  // leaked with its device: exit must not wait for threads

  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  [[nodiscard]] unsigned threads() const { return threads_; }

 private:
  friend class Event;
  friend class Queue;

  /// Pieces [first, last) of a command, claimed by one participant. The command lives until they are retired.
  struct Chunk {
    Event* event = nullptr;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
  };

  // What queues and events call.
  void enqueued(Event& event, bool ready, bool defer);
  void release(EventList& ready);
  void kick();
  void wait(Event& target, bool whole_queue);

  // The ready list.
  void publish(Event& event, bool wake);
  Chunk take(const Event* target, bool whole_queue);
  bool claim(Event& event, Chunk& chunk);
  void unlist(Event& event);

  // Running.
  void participate();
  bool idle();
  Event* run(Worker& worker, Chunk chunk);
  cl_int run_pieces(Worker& worker, const Chunk& chunk);
  Event* retire(Event& event, std::uint64_t pieces);
  Event* end(Event& event, cl_int status, bool take_next);
  void wake(unsigned wanted);
  static void arena_entry(void* self);

  const unsigned threads_;
  std::unique_ptr<Arena> arena_;
  std::once_flag arena_once_;

  std::mutex mutex_;  ///< guards the list; innermost, nothing is called under it
  Event* ready_head_ = nullptr;
  Event* ready_tail_ = nullptr;

  // Who runs what. All of them sequentially consistent: a submitter raises ready_ and then looks for participants, a
  // participant leaves and then looks at ready_, so one of the two sees the other.
  alignas(64) std::atomic<int> ready_{0};      ///< commands in the list
  std::atomic<int> running_{0};                ///< participants, idle ones included
  std::atomic<int> idle_{0};                   ///< participants that spin for work
  std::atomic<int> requested_{0};              ///< arena tasks that have not begun
  std::atomic<std::uint32_t> deferred_{0};     ///< nanoseconds of collected small commands; 0: nothing is collected
};

}  // namespace lanewise

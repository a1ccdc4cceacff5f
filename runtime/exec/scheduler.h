// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs commands whose dependencies are gone on the threads of one TBB arena, and on threads that wait for them.
///
/// Ready commands stand in lists, one for each priority of a queue; one look in eight begins at a lower one, the medium
/// and the low in turn, so none starves. A participant (an arena task, or a thread inside `wait`) takes a chunk of
/// pieces from a command, runs it, and takes the next one; a command of several chunks stays in the list, so any number
/// of participants share it and any number of commands run at once. The participant that finishes the last piece ends
/// the command, and if that makes a small command ready it runs it next, without waking anybody. At most `threads`
/// participants run at once. Nothing waits inside a participant.
///
/// Waking a sleeping thread costs more than a small command. So a small command that an application enqueues starts
/// nobody by itself: it is collected until some microseconds of work have come together, a flush or query asks for it,
/// or a waiting thread runs it.
///
/// Measured on two cores of a loaded virtual machine, oneTBB 2021.8: a first task in a sleeping arena costs its sender
/// 3 to 70 us and begins 100 us later, where an empty launch that the waiting thread runs takes 0.35 us from enqueue to
/// the end of clFinish, and 0.4 us in a row of 10,000.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "runtime/exec/event.h"
#include "runtime/exec/hints.h"
#include "src/host/domains.h"

namespace lanewise {

class Arena;
enum class Start;
class Worker;

class Scheduler {
 public:
  /// @param threads  participants at once, at least 1. Starts none: the first command that needs one does.
  /// @param cpus     participants run on these processors only; empty: wherever their threads may
  Scheduler(unsigned threads, host::CpuList cpus);
  ~Scheduler() = delete;  // leaked with its device: exit must not wait for threads

  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  [[nodiscard]] int threads() const { return threads_; }

 private:
  friend class Event;
  friend class Queue;

  /// Pieces [first, last) of a command, claimed by one participant. The command lives until they are retired.
  struct Chunk {
    Event* event = nullptr;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
  };
  /// The commands of one priority, oldest first.
  struct ReadyList {
    Event* head = nullptr;
    Event* tail = nullptr;
  };
  static constexpr unsigned kLevels = 3;  ///< of Hint: high, medium, low

  /// Why a thread takes part: an arena task runs everything, a waiting thread what its target needs.
  struct Purpose {
    const Event* target = nullptr;
    unsigned chained = 0;          ///< commands run in a row without a look at the list
    Hint throttle = Hint::medium;  ///< of the queue whose command ran last
    [[nodiscard]] bool serves(const Event& event) const;
    [[nodiscard]] bool fulfilled() const { return target != nullptr && target->ended(); }
  };

  /// The command is in its queue; `ready`: nothing is open any more.
  void enqueued(Event& event, bool ready, Start start);
  /// Starts commands whose last dependency is gone. Runs no work on the calling thread.
  void release(EventList& ready);
  /// Whatever is collected starts now.
  void kick();
  /// Until `target` has ended: helps, then sleeps.
  void wait(Event& target);
  /// Nanoseconds of the whole work on one thread; 0: not known.
  static std::uint64_t cost_of(const Work& work);

  // Between dependency and list (any thread).
  /// Ends what needs no work (and what that makes ready, and so on), lists the rest. `keep_one`: the first command with
  /// work is not listed but returned.
  Event* settle(EventList& ready, bool keep_one);
  static void end_command(Event& event, cl_int status, bool ran, EventList& ready);
  void prepare(Event& event) const;

  // The ready list.
  /// `collected_ns`: 0 starts the command at once; otherwise it is a small one of this cost, which may wait for more.
  void publish(Event& event, std::uint64_t collected_ns);
  Chunk take(const Purpose& purpose);
  /// Under the lock. `more`: the command that was taken from stays in the list.
  Chunk take_from(const ReadyList& list, const Purpose& purpose, bool& more);
  bool claim(Event& event, Chunk& chunk) const;
  void unlist(Event& event);
  void list_push(Event& event);
  void list_remove(Event& event);
  [[nodiscard]] ReadyList& list_of(const Event& event);
  [[nodiscard]] bool lists_empty() const;
  /// The `i`-th list to look at in this turn.
  [[nodiscard]] static unsigned level(std::uint32_t turn, unsigned i);

  // Participants.
  [[nodiscard]] bool join();
  void leave();
  void serve(Purpose& purpose);
  void help(const Event& target);
  [[nodiscard]] bool idle(Hint throttle);
  Chunk run(Worker& worker, const Chunk& chunk, Purpose& purpose);
  void run_pieces(Worker& worker, const Chunk& chunk) const;
  void learn(Event& event, std::uint64_t pieces, std::uint64_t ns) const;
  Chunk retire(const Chunk& chunk, Purpose& purpose);
  void wake(int wanted);
  static void arena_entry(void* self);

  const int threads_;
  const host::CpuList cpus_;
  std::once_flag arena_once_;
  Arena* arena_ = nullptr;  ///< created when the first thread is woken, never destroyed

  std::mutex mutex_;  ///< guards the list; innermost, nothing is called under it
  std::array<ReadyList, kLevels> lists_{};
  std::uint32_t turns_ = 0;

  // Who runs what. All of them sequentially consistent: a submitter raises ready_ and then looks for participants, a
  // participant leaves and then looks at ready_, so one of the two sees the other.
  alignas(64) std::atomic<int> ready_{0};    ///< commands in the list
  std::atomic<int> running_{0};              ///< participants, idle ones included
  std::atomic<int> idle_{0};                 ///< participants that spin for work
  std::atomic<int> requested_{0};            ///< arena tasks that have not begun
  std::atomic<std::uint64_t> collected_{0};  ///< nanoseconds of small commands nobody was woken for
};

}  // namespace lanewise

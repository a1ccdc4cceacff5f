// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs commands whose dependencies are gone on the threads of one pool, and on threads that wait for them.
///
/// Ready commands stand in lists, one for each priority of a queue; one look in eight begins at a lower one, the medium
/// and the low in turn, so none starves. A participant (a thread of the pool, or one inside `wait`) takes a chunk of
/// pieces from a command, runs it, and takes the next one; a command of several chunks stays in the list, so any number
/// of participants share it and any number of commands run at once. The participant that finishes the last piece ends
/// the command, and if that makes a small command ready it runs it next, without waking anybody. At most `threads`
/// participants run at once. Nothing waits inside a participant.
///
/// Chunks have the size that takes some 30 us, in multiples of the work's grain: a command that nothing is known of
/// begins with one grain, and each chunk tells how large the next ones may be. A command that is known to be small is
/// one chunk; but a thread that finds its first grain to take long gives the rest to all.
///
/// Waking a sleeping thread costs more than a small command. So a small command that an application enqueues starts
/// nobody by itself: it is collected until some microseconds of work have come together, a flush or query asks for it,
/// or a waiting thread runs it.
///
/// Measured on two cores of a loaded virtual machine: a sleeping thread costs whoever wakes it some microseconds and
/// begins up to 100 us later, where an empty launch that the waiting thread runs takes 0.35 us from enqueue to the end
/// of clFinish, and 0.4 us in a row of 10,000.
///
/// A thread that waits runs only what its stack is large enough for. If the system gives no thread at all, those that
/// flush, enqueue or set a user event run what is ready.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>

#include "runtime/core/device.h"
#include "runtime/exec/event.h"
#include "runtime/exec/hints.h"
#include "runtime/exec/thread_pool.h"
#include "src/host/domains.h"

namespace lanewise {

enum class Start;
class Worker;

class Scheduler : public Executor {
 public:
  /// The device's; made at the first call, and without a thread. All sub-devices of the same processors have one in
  /// common, so that making and releasing them makes no threads. Thread-safe.
  static Scheduler& of(Device& device) { return static_cast<Scheduler&>(device.executor(&Scheduler::make)); }

  /// @param threads  participants at once, at least 1. Starts none: the first command that needs one does.
  /// @param cpus     participants run on these processors only; empty: wherever their threads may
  Scheduler(unsigned threads, host::CpuList cpus);
  ~Scheduler() = delete;  // leaked with its device: exit must not wait for threads

  [[nodiscard]] int threads() const { return threads_; }

  /// Large scratch areas (Worker) that nobody uses now go back to the system: those of the calling thread and of the
  /// threads of all devices. Others follow when their thread comes to run something.
  static void give_back_scratch() noexcept;

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

  static Executor& make(Device& device);

  /// Why a thread takes part: one of the pool runs everything, a waiting thread what its target needs.
  struct Purpose {
    const Event* target = nullptr;
    unsigned chained = 0;                                         ///< commands run in a row without a look at the list
    Hint throttle = Hint::medium;                                 ///< of the queue whose command ran last
    bool stays = true;                                            ///< looks for more work for a while before it goes
    std::size_t stack = std::numeric_limits<std::size_t>::max();  ///< bytes for what it runs
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
  /// Whether a chunk takes much longer than most, as far as that is known.
  [[nodiscard]] static bool lasts(const Chunk& chunk);
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
  Chunk run(Worker& worker, Chunk chunk, Purpose& purpose);
  /// Runs a chunk, or its beginning: what turns out to take long is given to all, and `chunk` is then what was run.
  void run_pieces(Worker& worker, Chunk& chunk);
  void run_whole(Worker& worker, Chunk& chunk);
  /// False: the command has failed.
  static bool execute(Worker& worker, Event& event, std::uint64_t first, std::uint64_t last);
  /// Sets the size of the next chunks by what one took.
  void learn(Event& event, std::uint64_t pieces, std::uint64_t ns) const;
  /// How many more threads there is work for in what is left of a command, beside one that takes part anyway.
  [[nodiscard]] int helpers(const Event& event) const;
  Chunk retire(const Chunk& chunk, Purpose& purpose);
  void wake(int wanted);
  static void pool_entry(void* self);
  /// No thread is to be had: what is ready, here and on other devices, runs on the calling thread. If that is a
  /// participant, it does so later, when it is none any more.
  static void run_here();
  void serve_here();

  const int threads_;
  const host::CpuList cpus_;
  ThreadPool pool_;
  Scheduler* next_ = nullptr;  ///< in the list of all schedulers of the process

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

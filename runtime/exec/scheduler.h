// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs the commands whose dependencies have ended, on oneTBB's workers (arena.h) and on threads that wait for events.
///
/// A participant is a worker, or a thread inside `wait`. It takes a chunk of pieces from a ready command
/// (ready_list.h), runs it (execution.h) and takes the next one. The participant that retires the last piece ends the
/// command. If that makes a small command ready, the same participant runs it next, without waking a thread. At most
/// `threads` participants run at once. A participant never blocks.
///
/// Measured on two cores of a loaded virtual machine: waking a sleeping thread costs the caller some microseconds, and
/// the thread starts up to 100 us later. An empty launch that the waiting thread runs itself takes 0.35 us from the
/// enqueue to the end of clFinish, and 0.4 us each in a row of 10,000.
///
/// A waiting thread runs only commands that its stack is large enough for. If the system gives no thread at all,
/// threads that flush, enqueue or set a user event run the ready commands.
#pragma once

#include <cstdint>

#include "runtime/core/device.h"
#include "runtime/exec/arena.h"
#include "runtime/exec/nodes.h"
#include "runtime/exec/ready_list.h"
#include "runtime/exec/seats.h"
#include "runtime/exec/start.h"
#include "src/host/domains.h"

namespace lanewise {

class Worker;

/// Number of times that threads have asked for collected commands, on all devices. An enqueue reads it before the
/// command gets its place in the queue: from then on other threads may ask for the command before it is listed.
[[nodiscard]] std::uint64_t count_kicks();

/// The scheduler of one device, or of all sub-devices with the same processors.
class Scheduler : public Executor {
 public:
  /// The scheduler of a device, created by the first call, without any thread. All sub-devices with the same processors
  /// share one scheduler, so that creating and releasing sub-devices again and again creates no further threads.
  /// Thread-safe.
  static Scheduler& of(Device& device) { return static_cast<Scheduler&>(device.executor(&Scheduler::make)); }

  /// @param threads   the largest number of participants, at least 1. Threads are created when commands need them.
  /// @param cpus      the processors that workers run on
  /// @param confined  waiting threads run on these processors only, too
  Scheduler(unsigned threads, const host::CpuList& cpus, bool confined);
  ~Scheduler() = delete;  // leaked with its device: exit must not wait for threads

  [[nodiscard]] unsigned threads() const { return arena_.limit(); }
  /// Participants of all schedulers now.
  [[nodiscard]] static unsigned count_participants();

  /// Takes a command that has got its place in its queue.
  /// @param ready  the command has no open dependency
  /// @param kicks  `count_kicks` before the enqueue: the command is not collected if a thread has asked since
  void enqueued(Command& command, bool ready, Start start, std::uint64_t kicks);
  /// Starts commands whose last dependency has ended, each on its own device. The calling thread runs no work.
  static void release(DependentList& ready);
  /// Starts the commands that have been collected.
  void kick();
  /// Blocks until `target` has ended. The calling thread first runs commands that `target` depends on, then sleeps.
  void wait(Command& target);

 private:
  static Executor& make(Device& device);

  // From the end of the last dependency to the end of the command (scheduler.cpp).
  /// Ends the ready commands that have no work, and the commands that become ready thereby, and lists the others. The
  /// first command that has work and belongs to `keeper` (may be null) is returned instead of listed.
  static Command* settle(DependentList& ready, const Scheduler* keeper);
  /// Lists the command (ReadyList::add) and wakes threads for it.
  void publish(Command& command, std::uint64_t collected_ns);
  Chunk take(const Purpose& purpose);
  /// Runs a chunk, or its first pieces, and ends the command if nothing is left. Returns the chunk that the thread has
  /// claimed next, or one without a command.
  Chunk run(Worker& worker, Chunk chunk, Purpose& purpose);
  /// Retires pieces, and ends the command if they were the last. Returns a chunk to run next, or one without a command.
  /// @param run  number of pieces that the thread has run in the chunk's part
  Chunk retire(const Chunk& chunk, std::uint64_t run, Purpose& purpose);

  // Participants (participation.cpp).
  void leave();
  void serve(Purpose& purpose);
  /// Lets the calling worker look for work for a moment. False: there is none.
  [[nodiscard]] bool find(Hint throttle);
  void help(const Command& target);
  void wake(int wanted);
  static void worker_entry(void* self);
  /// Runs the ready commands of all devices on the calling thread, because the system gives no thread. A participant
  /// runs them when it has left.
  static void run_here();
  void serve_here();

  const host::CpuList confined_to_;  ///< the processors of waiting threads; empty: all
  Scheduler* next_ = nullptr;        ///< the next one in the list of all schedulers of the process
  Arena arena_;
  const Nodes nodes_;
  Seats seats_;
  ReadyList ready_;
};

}  // namespace lanewise

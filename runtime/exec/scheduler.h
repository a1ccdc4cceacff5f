// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs commands whose dependencies have ended, on workers of oneTBB (arena.h) and on threads that wait for them.
///
/// A participant (a worker, or a thread inside `wait`) takes a chunk of pieces from a ready command
/// (ready_list.h), runs it (execution.h), and takes the next one. The participant that finishes the last piece ends the
/// command, and if that makes a small command ready it runs it next, without waking a thread. At most `threads`
/// participants run at once. A participant never blocks.
///
/// Measured on two cores of a loaded virtual machine: waking a sleeping thread costs the caller some microseconds, and
/// the thread starts up to 100 us later. An empty launch that the waiting thread itself runs takes 0.35 us from enqueue
/// to the end of clFinish, and 0.4 us in a row of 10,000.
///
/// A thread that waits runs only commands for which its stack is large enough. If the system gives no thread at all,
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

/// How often collected commands have been asked for, on any device. To be read before a command gets its place in a
/// queue: from then on others may depend on it and ask for it, while the thread that enqueues it has not listed it yet.
[[nodiscard]] std::uint64_t count_kicks();

class Scheduler : public Executor {
 public:
  /// The scheduler of a device; created at the first call, without any thread. All sub-devices of the same processors
  /// share one, so that creating and releasing sub-devices again and again creates no further threads. Thread-safe.
  static Scheduler& of(Device& device) { return static_cast<Scheduler&>(device.executor(&Scheduler::make)); }

  /// @param threads  participants at once, at least 1. Threads are created when commands need them.
  /// @param cpus     on which workers run
  /// @param confined participants are not only workers: threads that wait run on these processors only, too
  Scheduler(unsigned threads, const host::CpuList& cpus, bool confined);
  ~Scheduler() = delete;  // leaked with its device: exit must not wait for threads

  [[nodiscard]] unsigned threads() const { return arena_.limit(); }

  /// To be called for each command that is now in its queue; `ready`: it has no open dependency. If others have asked
  /// for commands since there were `kicks`, it is not collected.
  void enqueued(Command& command, bool ready, Start start, std::uint64_t kicks);
  /// Starts commands whose last dependency has ended, each on its own device. Runs no work on the calling thread.
  static void release(DependentList& ready);
  /// Starts the commands that have been collected.
  void kick();
  /// Blocks until `target` has ended: first helps to run commands, then sleeps.
  void wait(Command& target);

 private:
  static Executor& make(Device& device);

  // From the end of the last dependency to the end of the command (scheduler.cpp).
  /// Ends the commands that have no work (and those that become ready by that, and so on) and lists the others. Instead
  /// of listing it, returns the first command that has work and belongs to `keeper`, which may be null.
  static Command* settle(DependentList& ready, const Scheduler* keeper);
  /// Lists the command (ReadyList::add) and wakes threads for it.
  void publish(Command& command, std::uint64_t collected_ns);
  Chunk take(const Purpose& purpose);
  /// Runs a chunk, or its first pieces, and ends the command if nothing is left. Returns the chunk that the thread has
  /// claimed next, if any.
  Chunk run(Worker& worker, Chunk chunk, Purpose& purpose);
  /// @param run  pieces that the thread has run in the chunk's part
  Chunk retire(const Chunk& chunk, std::uint64_t run, Purpose& purpose);

  // Threads that take part (participation.cpp).
  void leave();
  void serve(Purpose& purpose);
  /// The calling worker looks for work for a moment. False: there is none.
  [[nodiscard]] bool find(Hint throttle);
  void help(const Command& target);
  void wake(int wanted);
  static void worker_entry(void* self);
  /// For when the system gives no thread: runs the ready commands of all devices on the calling thread. If that is a
  /// participant, it runs them as soon as it is no participant any more.
  static void run_here();
  void serve_here();

  const host::CpuList confined_to_;  ///< empty: to nothing
  Scheduler* next_ = nullptr;        ///< in the list of all schedulers of the process
  Arena arena_;
  const Nodes nodes_;
  Seats seats_;
  ReadyList ready_;
};

}  // namespace lanewise

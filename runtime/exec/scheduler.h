// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs commands whose dependencies are gone on the threads of one pool, and on threads that wait for them.
///
/// A participant (a thread of the pool, or one inside `wait`) takes a chunk of pieces from a ready command
/// (ready_list.h), runs it (execution.h), and takes the next one. The participant that finishes the last piece ends the
/// command, and if that makes a small command ready it runs it next, without waking anybody. At most `threads`
/// participants run at once. Nothing waits inside a participant.
///
/// Measured on two cores of a loaded virtual machine: a sleeping thread costs whoever wakes it some microseconds and
/// begins up to 100 us later, where an empty launch that the waiting thread runs takes 0.35 us from enqueue to the end
/// of clFinish, and 0.4 us in a row of 10,000.
///
/// A thread that waits runs only what its stack is large enough for. If the system gives no thread at all, those that
/// flush, enqueue or set a user event run what is ready.
#pragma once

#include <cstdint>

#include "runtime/core/device.h"
#include "runtime/exec/participants.h"
#include "runtime/exec/ready_list.h"
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

  [[nodiscard]] unsigned threads() const { return participants_.limit(); }

  /// The command is in its queue; `ready`: nothing is open any more.
  void enqueued(Command& command, bool ready, Start start);
  /// Starts commands whose last dependency is gone, each on its own device. Runs no work on the calling thread.
  static void release(DependentList& ready);
  /// Whatever is collected starts now.
  void kick();
  /// Until `target` has ended: helps, then sleeps.
  void wait(Command& target);

  /// lanewise::give_back_scratch, of the threads of all devices.
  static void give_back_scratch() noexcept;

 private:
  static Executor& make(Device& device);

  // From the end of the last dependency to the end of the command (scheduler.cpp).
  /// Ends what needs no work (and what that makes ready, and so on), lists the rest. `keeper`: the first command of its
  /// own that has work is not listed but returned; may be null.
  static Command* settle(DependentList& ready, const Scheduler* keeper);
  /// Lists the command (ReadyList::add) and wakes whom it takes.
  void publish(Command& command, std::uint64_t collected_ns);
  Chunk take(const Purpose& purpose);
  /// Runs a chunk, or its beginning, and ends the command if nothing is left. Returns what the thread runs next, if it
  /// holds something.
  Chunk run(Worker& worker, Chunk chunk, Purpose& purpose);
  Chunk retire(const Chunk& chunk, Purpose& purpose);

  // Threads that take part (participation.cpp).
  void leave();
  void serve(Purpose& purpose);
  void help(const Command& target);
  [[nodiscard]] bool idle(Hint throttle);
  void wake(int wanted);
  static void pool_entry(void* self);
  /// No thread is to be had: what is ready, here and on other devices, runs on the calling thread. If that is a
  /// participant, it does so later, when it is none any more.
  static void run_here();
  void serve_here();

  const host::CpuList cpus_;
  Scheduler* next_ = nullptr;  ///< in the list of all schedulers of the process
  Participants participants_;
  ReadyList ready_;
};

}  // namespace lanewise

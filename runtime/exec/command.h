// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Commands: the events of enqueued commands, with what queue and scheduler need to run them. No one else uses them.
///
/// A command counts its open dependencies. Whoever brings the count to zero gives it to the scheduler, which runs its
/// Execution: one run of a work that other commands may share. The command ends when this run and every command that
/// the work has enqueued as its child have ended. A command that has not ended keeps itself alive, and so the queue and
/// the context too, even if the application releases them.
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include "runtime/exec/command_owner.h"
#include "runtime/exec/dependency.h"
#include "runtime/exec/event.h"
#include "runtime/exec/execution.h"
#include "runtime/exec/family.h"

namespace lanewise {

class Command;

/// The place of a command in the order of its queue; used by QueueOrder only.
struct OrderHook {
  std::uint64_t sequence = 0;  ///< position in the queue, from 1; 0: a child, which has no position
  bool collects = false;       ///< a marker or barrier that waits for everything before it
  bool collected = false;      ///< such a command waits for this one; this and what follows is under the order's lock
  Command* next = nullptr;
  Command* previous = nullptr;
};

/// The place of a command in the list of ready commands; used by ReadyList only, under its lock.
struct ReadyHook {
  bool listed = false;
  Command* next = nullptr;
  Command* previous = nullptr;
};

class Command final : public Event, public Dependent {
 public:
  /// In state CL_QUEUED. Holds a reference to the queue.
  Command(CommandOwner& owner, cl_command_type type)
      : Event(type, CL_QUEUED, owner.profiling(), owner.context().termination() != nullptr), owner_(owner) {
    owner.retain_internal();
  }

  [[nodiscard]] Context& context() const override { return owner_.context(); }
  [[nodiscard]] Queue* queue() const override { return &owner_.queue(); }
  [[nodiscard]] CommandOwner& owner() const { return owner_; }
  [[nodiscard]] std::uint32_t open_dependencies() const override { return open(); }

  // The functions of EventStatus.
  bool advance(cl_int status) { return status_word().advance(*this, status); }
  /// The command stays in the graph until its dependencies have ended, and then ends without running.
  void abandon() { status_word().abandon(*this, execution.stoppable()); }
  using Event::close;
  using Event::profiled;
  using Event::recorded_times;

  /// Whether its context can be terminated, and whether it has been.
  [[nodiscard]] bool terminable() const { return status_word().terminable(); }
  [[nodiscard]] bool terminated() const { return terminable() && context().terminated(); }

  /// Null: it has no children, and nothing of theirs.
  [[nodiscard]] Family* family() const { return family_.load(std::memory_order_acquire); }
  /// Makes it where there is none. By what runs, or before the command can run. Null: out of memory.
  Family* make_family();
  /// From now on it does not end before `parent`, which is running, and that not before it. False: out of memory.
  [[nodiscard]] bool become_child_of(Command& parent);
  [[nodiscard]] Command* parent() const { return parent_; }
  /// The command of the application that it is a part of.
  [[nodiscard]] const Command& root() const { return parent_ == nullptr ? *this : parent_->family()->root; }
  /// Its own run, or one of its children, has ended so. True: nothing is left, and it ends with `outcome`.
  [[nodiscard]] bool finish(cl_int status);
  /// `status`, that of its own run, or the first error of what it is made of.
  [[nodiscard]] cl_int outcome(cl_int status) const {
    const Family* family = this->family();
    return family == nullptr ? status : family->outcome.load(std::memory_order_relaxed);
  }
  /// A command of recorded ones runs as long as they do; a kernel ends before those that it has enqueued.
  [[nodiscard]] std::uint64_t run_end() const override;
  /// When it has ended.
  [[nodiscard]] RunTimes run_times() const;

  static void* operator new(std::size_t size, const std::nothrow_t&) noexcept;
  static void operator delete(void* memory) noexcept;

 private:
  ~Command() override;
  void start_commands() override { owner_.start_commands(); }
  void wait_for_end() override { owner_.wait_for(*this); }

  // Members that the running thread writes are apart from those that the thread that enqueues the next command writes.
  CommandOwner& owner_;

 public:
  Execution execution;

 private:
  Command* parent_ = nullptr;             ///< ends later
  std::atomic<Family*> family_{nullptr};  ///< its own

 public:
  ReadyHook ready;
  OrderHook order;
  Edges edges;
};

// Six cache lines: the number of cache lines limits how fast launches can follow each other.
static_assert(sizeof(Command) <= 384);

/// Pieces of a command that one thread has claimed. The command lives until they are retired.
struct Chunk {
  Command* command = nullptr;
  Pieces pieces;
};

}  // namespace lanewise

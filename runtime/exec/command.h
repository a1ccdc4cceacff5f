// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Commands: the events of enqueued commands, with the state that queues and the scheduler need to run them. Only these
/// two use this header.
///
/// A command counts its open dependencies. The thread that brings the count to zero gives the command to the scheduler,
/// which runs its Execution: one run of a work that other commands may share. A command ends when its own run and all
/// child commands that its work has enqueued have ended. A command that has not ended keeps itself, its queue and its
/// context alive, even if the application releases them.
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

/// The place of a command in the order of its queue; used by QueueOrder only. All fields from `collected` on are under
/// the order's lock.
struct OrderHook {
  std::uint64_t sequence = 0;  ///< position in the queue, from 1; 0: a child, which has no position
  bool collects = false;       ///< the command is a marker or barrier that waits for all earlier commands
  bool collected = false;      ///< a collecting command waits for this one
  std::uint32_t number = 0;    ///< number for observers (observe.h), not under the lock; 0: nobody observes
  Command* next = nullptr;
  Command* previous = nullptr;
};

/// The place of a command in the list of ready commands; used by ReadyList only, under its lock.
struct ReadyHook {
  bool listed = false;
  Command* next = nullptr;
  Command* previous = nullptr;
};

/// A command of a queue.
class Command final : public Event, public Dependent {
 public:
  /// Creates a command in state CL_QUEUED, which holds a reference to the queue.
  Command(CommandOwner& owner, cl_command_type type)
      : Event(type, CL_QUEUED, owner.profiling(), owner.context().termination() != nullptr), owner_(owner) {
    owner.retain_internal();
  }

  [[nodiscard]] Context& context() const override { return owner_.context(); }
  [[nodiscard]] Queue* queue() const override { return &owner_.queue(); }
  [[nodiscard]] CommandOwner& owner() const { return owner_; }
  [[nodiscard]] std::uint32_t open_dependencies() const override { return open(); }

  // Functions of EventStatus.
  bool advance(cl_int status) { return status_word().advance(*this, status); }
  /// Publishes CL_CONTEXT_TERMINATED_KHR. The command stays in the graph until its dependencies have ended, and then
  /// ends without running.
  void abandon() { status_word().abandon(*this, execution.stoppable()); }
  using Event::close;
  using Event::profiled;
  using Event::recorded_times;

  /// Whether the command's context can be terminated.
  [[nodiscard]] bool terminable() const { return status_word().terminable(); }
  /// Whether the command's context has been terminated.
  [[nodiscard]] bool terminated() const { return terminable() && context().terminated(); }

  /// The state that a command with children has (family.h). Null: the command has had no children.
  [[nodiscard]] Family* family() const { return family_.load(std::memory_order_acquire); }
  /// Creates the family if there is none. Called by the running work, or before the command can run. Null: out of
  /// memory.
  Family* make_family();
  /// Makes this command a child of `parent`, which is running and will not end before this command does. False: out of
  /// memory.
  [[nodiscard]] bool become_child_of(Command& parent);
  [[nodiscard]] Command* parent() const { return parent_; }
  /// The application's command at the top of this command's family.
  [[nodiscard]] const Command& root() const { return parent_ == nullptr ? *this : parent_->family()->root; }
  /// Notes that the command's own run, or one of its children, has ended with `status`. True: these were the last, and
  /// the command ends with `outcome`.
  [[nodiscard]] bool finish(cl_int status);
  /// The command's final status: `status`, the result of its own run, or the first error among its run and its
  /// children.
  [[nodiscard]] cl_int outcome(cl_int status) const {
    const Family* family = this->family();
    return family == nullptr ? status : family->outcome.load(std::memory_order_relaxed);
  }
  /// When the command's own run ended. The run of a command buffer lasts as long as its recorded commands; the run of a
  /// kernel ends before the kernels that it has enqueued.
  [[nodiscard]] std::uint64_t run_end() const override;
  /// The durations of the command, which has ended.
  [[nodiscard]] RunTimes run_times() const;

  static void* operator new(std::size_t size, const std::nothrow_t&) noexcept;
  static void operator delete(void* memory) noexcept;

 private:
  ~Command() override;
  void start_commands() override { owner_.start_commands(); }
  void wait_for_end() override { owner_.wait_for(*this); }

  // The running thread and the thread that enqueues the next command write to different cache lines.
  CommandOwner& owner_;

 public:
  Execution execution;

 private:
  Command* parent_ = nullptr;             ///< null: the application has enqueued the command
  std::atomic<Family*> family_{nullptr};  ///< null: the command has had no children

 public:
  ReadyHook ready;
  OrderHook order;
  Edges edges;
};

// Six cache lines of 64 bytes: their number limits how fast launches can follow each other.
static_assert(sizeof(Command) <= 384);

/// Pieces of a command that one thread has claimed. They keep the command alive until they are retired.
struct Chunk {
  Command* command = nullptr;
  Pieces pieces;
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Commands: what stands behind the event of an enqueued command. For queue and scheduler only.
///
/// A command counts its open dependencies. Whoever brings the count to zero hands it to the scheduler, which runs its
/// Execution, a run of a work that other commands may share. It ends when that has ended, and with it every command that
/// the work has enqueued as its child. A command in flight keeps itself alive, and through it the queue and the context,
/// whatever the application releases meanwhile.
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include "runtime/exec/dependency.h"
#include "runtime/exec/event.h"
#include "runtime/exec/execution.h"
#include "runtime/exec/queue.h"

namespace lanewise {

class Command;

/// Where a command stands among those of its queue; belongs to QueueOrder.
struct OrderHook {
  std::uint64_t sequence = 0;  ///< position in the queue, from 1; 0: a child, which stands in none
  bool collects = false;       ///< marker or barrier that waits for everything before it
  bool collected = false;      ///< such a one waits for this; under the order's lock, as what follows
  Command* next = nullptr;
  Command* previous = nullptr;
};

/// Where a command stands among those that are ready; belongs to ReadyList, under its lock.
struct ReadyHook {
  bool listed = false;
  Command* next = nullptr;
  Command* previous = nullptr;
};

class Command final : public Event, public Dependent {
 public:
  /// In state CL_QUEUED. Keeps the queue.
  Command(Queue& queue, cl_command_type type)
      : Event(type, CL_QUEUED, queue.profiling(), queue.context().termination() != nullptr), owner_(queue) {
    queue.retain_internal();
  }

  [[nodiscard]] Context& context() const override { return owner_.context(); }
  [[nodiscard]] Queue* queue() const override { return &owner_; }
  [[nodiscard]] Queue& owner() const { return owner_; }
  [[nodiscard]] std::uint32_t open_dependencies() const override { return open(); }

  // As those of EventStatus.
  bool advance(cl_int status) { return status_word().advance(*this, status); }
  /// The command stays in the graph until its turn comes, and then ends without running.
  void abandon() { status_word().abandon(*this, execution.stoppable()); }
  using Event::close;
  using Event::profiled;
  using Event::recorded_times;

  /// Its context can be terminated, and has been.
  [[nodiscard]] bool terminable() const { return status_word().terminable(); }
  [[nodiscard]] bool terminated() const { return terminable() && context().terminated(); }

  /// From now on it does not end before `parent`, which is running, and that not before it.
  void become_child_of(Command& parent) {
    parent.unfinished_.fetch_add(1, std::memory_order_relaxed);
    parent_ = &parent;
  }
  [[nodiscard]] Command* parent() const { return parent_; }
  /// The command of the application that it is a part of.
  [[nodiscard]] const Command& root() const { return parent_ == nullptr ? *this : parent_->root(); }
  /// Its own run, or one of its children, has ended so. True: nothing is left, and it ends with `outcome`.
  [[nodiscard]] bool finish(cl_int status) {
    cl_int none = CL_COMPLETE;
    if (status < 0) outcome_.compare_exchange_strong(none, status, std::memory_order_relaxed);
    // Only what runs adds children: where nothing but this is left, nobody can, and no exchange is needed.
    return unfinished_.load(std::memory_order_acquire) == 1 || unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }
  /// CL_COMPLETE, or the first error.
  [[nodiscard]] cl_int outcome() const { return outcome_.load(std::memory_order_relaxed); }

  static void* operator new(std::size_t size, const std::nothrow_t&) noexcept;
  static void operator delete(void* memory) noexcept;

 private:
  ~Command() override { owner_.release_internal(); }
  void start_commands() override;
  void wait_for_end() override;

  // What the thread that runs a command writes is apart from what the one that enqueues the next command does.
  Queue& owner_;

 public:
  Execution execution;

 private:
  Command* parent_ = nullptr;                 ///< ends later
  std::atomic<std::uint32_t> unfinished_{1};  ///< its own run, and children
  std::atomic<cl_int> outcome_{CL_COMPLETE};

 public:
  ReadyHook ready;
  OrderHook order;
  Edges edges;
};

// Six cache lines: launches in a row are bound by how many of them there are.
static_assert(sizeof(Command) <= 384);

/// Pieces of a command, claimed by one thread. The command lives until they are retired.
struct Chunk {
  Command* command = nullptr;
  Pieces pieces;
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Commands: what stands behind the event of an enqueued command. For queue and scheduler only.
///
/// A command counts its open dependencies. Whoever brings the count to zero hands it to the scheduler, which runs its
/// Execution, a run of a work that other commands may share. A command in flight keeps itself alive, and through it the
/// queue and the context, whatever the application releases meanwhile.
#pragma once

#include <CL/cl.h>

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
  std::uint64_t sequence = 0;  ///< position in the queue
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
      : Event(queue.context(), type, CL_QUEUED, queue.profiling()), owner_(queue) {
    queue.retain_internal();
  }

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

  static void* operator new(std::size_t size, const std::nothrow_t&) noexcept;
  static void operator delete(void* memory) noexcept;

  Execution execution;
  OrderHook order;
  ReadyHook ready;
  Edges edges;

 private:
  ~Command() override { owner_.release_internal(); }
  void start_commands() override;
  void wait_for_end() override;

  Queue& owner_;
};

/// Pieces of a command, claimed by one thread. The command lives until they are retired.
struct Chunk {
  Command* command = nullptr;
  Pieces pieces;
};

}  // namespace lanewise

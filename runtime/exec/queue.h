// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Host command-queues: how the order of enqueues becomes edges between events (API 5.1, 5.12, 5.14).
///
/// In order: a command depends on the one enqueued last, and on nothing earlier. Out of order: it depends on the last
/// barrier only; a marker or barrier without a wait list collects everything that is outstanding. It ends after all of
/// that, so the next one that collects waits for it in place of what it has collected: every command is collected once,
/// and n commands have O(n) edges however markers and barriers are spread among them.
///
/// A failed command does not stop its queue: the order of a queue carries no error, wait lists do (API 3.2 leaves the
/// queue's fate to the implementation; this way the outcome does not depend on timing).
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <mutex>
#include <span>
#include <vector>

#include "runtime/core/context.h"
#include "runtime/core/device.h"
#include "runtime/exec/event.h"
#include "runtime/exec/hints.h"
#include "runtime/exec/work.h"
#include "runtime/object/object.h"
#include "src/base/result.h"

namespace lanewise {

enum class SubmitKind {
  normal,
  marker,   ///< with an empty wait list: waits for all earlier commands
  barrier,  ///< as marker, and all later commands wait for it
};

/// When the command must start without any further call.
enum class Start {
  soon,     ///< at once, except that very small commands may be collected for some microseconds of work
  on_wait,  ///< the caller waits for it next and runs it itself if no worker is faster
};

class Queue final : public ContextQueue {
 public:
  /// @param property_list  as given to clCreateCommandQueueWithProperties with the closing 0; empty if none was given
  static Ref<Queue> create(Context& context, Device& device, cl_command_queue_properties properties,
                           std::vector<cl_queue_properties> property_list, QueueHints hints = {});

  [[nodiscard]] QueueHints hints() const { return hints_; }
  [[nodiscard]] Context& context() const { return *context_; }
  [[nodiscard]] Device& device() const { return *device_; }
  [[nodiscard]] Scheduler& scheduler() const { return scheduler_; }
  [[nodiscard]] cl_command_queue_properties properties() const { return properties_; }
  [[nodiscard]] const std::vector<cl_queue_properties>& property_list() const { return property_list_; }
  [[nodiscard]] bool in_order() const { return (properties_ & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0; }
  [[nodiscard]] bool profiling() const { return (properties_ & CL_QUEUE_PROFILING_ENABLE) != 0; }

  /// Takes the complete work (null: nothing to do) and never blocks. Thread-safe; the order of enqueues is the order
  /// of the calls. Errors: CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES (forked child), CL_CONTEXT_TERMINATED_KHR.
  Result<Ref<Event>> submit(cl_command_type type, WorkPtr work, std::span<Event* const> waits,
                            SubmitKind kind = SubmitKind::normal, Start start = Start::soon);

  cl_int finish() override;
  /// Makes sure that everything enqueued before runs without further calls; does not block.
  void flush();
  /// Event::abandon for every command that has not ended.
  void abandon() override;

 private:
  friend class Event;
  friend class Scheduler;

  Queue(Context& context, Device& device, cl_command_queue_properties properties,
        std::vector<cl_queue_properties> property_list, QueueHints hints);
  ~Queue() override { context_->leave(*this); }
  void on_api_released() noexcept override { flush(); }

  /// Make `event` wait for what the order of the queue demands; `edge` is free for that. `order_out` returns false if
  /// it is out of memory; nothing has happened then.
  void order_in(Event& event, Edge& edge);
  bool order_out(Event& event, SubmitKind kind, Edge& edge);
  /// Makes a marker or barrier wait for what none before it has collected; needs `uncollected_` edges. Under mutex_.
  void collect(Event& event, Edge* edges);
  /// The command has ended: nothing has to be ordered after it any more.
  void forget(Event& event);
  // The list of outstanding commands; under mutex_.
  void list(Event& event);
  void unlist(Event& event);

  Ref<Context> context_;
  Ref<Device> device_;
  Scheduler& scheduler_;
  cl_command_queue_properties properties_;
  std::vector<cl_queue_properties> property_list_;
  QueueHints hints_;
  std::atomic<std::uint64_t> issued_{0};

  /// In order: the command enqueued last, counted; null when it has ended. Exchanged by enqueues, so the order of the
  /// exchanges is the order of the queue and no lock is needed.
  std::atomic<Event*> last_{nullptr};

  // Out of order, and in contexts that can be terminated also in order.
  std::mutex mutex_;               ///< guards the list and barrier_; innermost, nothing is called under it
  Event* outstanding_ = nullptr;   ///< through queue_next_, newest first
  std::size_t uncollected_ = 0;    ///< of outstanding_, the newest ones: those that no marker or barrier has collected
  Event* abandon_next_ = nullptr;  ///< of outstanding_, while abandon() walks it: the next one
  Event* barrier_ = nullptr;       ///< the last barrier while it has not ended; one of outstanding_
};

}  // namespace lanewise

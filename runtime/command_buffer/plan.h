// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Plans: a finalised command-buffer as one work, with the order of its commands computed once.
///
/// Commands stay in the order of their recording, since each waits for earlier ones only. Neighbours that are known to
/// be small become a sequence (sequence.h), which one thread runs from first to last without scheduling. Every other
/// command stays separate. If the result is one sequence or one command, that is the work. Otherwise the work is a
/// graph (graph.h), whose run enqueues the parts as children of its command, with the dependencies as their wait lists.
///
/// Only a run shows which commands are small. Therefore CommandBuffer makes a new plan now and then, and when a command
/// of a sequence turns out to be large.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/exec/queue.h"
#include "runtime/exec/work.h"
#include "runtime/object/object.h"

namespace lanewise {

/// The properties of a recorded command that its place in the plan depends on.
struct Step {
  WorkPtr work;                      ///< null: nothing to do (a barrier, a launch without work-items)
  std::uint32_t place = 0;           ///< index of the queue; queues of one device may be one place
  std::vector<std::uint32_t> after;  ///< indices of the earlier steps that it waits for
};

/// The plan of one command-buffer.
class CommandPlan {
 public:
  CommandPlan() = default;
  /// Makes the plan of all recorded commands. May throw std::bad_alloc.
  explicit CommandPlan(std::span<const Step> steps);

  /// The work of one run, which stays on the queue that it is submitted to.
  [[nodiscard]] WorkPtr work() const { return whole_.share(); }
  /// The work of one run on several places, where `queues[i]` is place i. It must be submitted to `queues[0]`.
  [[nodiscard]] WorkPtr work(std::vector<Ref<Queue>> queues) const;

  /// Whether a command of a sequence has turned out to be large, so that a new plan would be better.
  [[nodiscard]] bool outgrown() const { return outgrown_ != nullptr && outgrown_->load(std::memory_order_relaxed); }

 private:
  WorkPtr whole_;
  bool is_graph_ = false;
  std::shared_ptr<std::atomic<bool>> outgrown_;
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A finalised command-buffer as one work, with the order of its commands worked out once.
///
/// Commands stay in the order in which they were recorded, since each waits for earlier ones only. Neighbours that are
/// known to be small become a sequence, which one thread runs from first to last without scheduling; every other
/// command stays separate. If this gives one sequence or one command, that is the work. Otherwise the work is a graph:
/// its run enqueues the parts as children of the command that runs it, with the dependencies as their wait lists.
///
/// Which commands are small is known after they have run. So a plan is made anew now and then (CommandBuffer), and when
/// a command of a sequence turns out to be large.
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
  std::uint32_t place = 0;           ///< index of its queue; queues of one device may be one place
  std::vector<std::uint32_t> after;  ///< the earlier steps that it waits for
};

class Plan {
 public:
  Plan() = default;
  /// May throw std::bad_alloc.
  explicit Plan(std::span<const Step> steps);

  /// The work of one run, all of it on the queue that it is submitted to.
  [[nodiscard]] WorkPtr work() const { return whole_.share(); }
  /// The same for several places, where `queues[i]` is place i. It must be submitted to the first of them.
  [[nodiscard]] WorkPtr work(std::vector<Ref<Queue>> queues) const;

  /// Whether a command of a sequence was found to be large, so that a new plan would be better.
  [[nodiscard]] bool outgrown() const { return outgrown_ != nullptr && outgrown_->load(std::memory_order_relaxed); }

 private:
  WorkPtr whole_;
  bool is_graph_ = false;
  std::shared_ptr<std::atomic<bool>> outgrown_;
};

}  // namespace lanewise

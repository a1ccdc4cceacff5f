// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a finalised command-buffer is: the order of its commands, worked out once, as one work.
///
/// Commands follow each other as they were recorded, since each waits for earlier ones only. Neighbours that are known to
/// be small become a sequence, which one thread runs from its first to its last without a look at anything else; every
/// other command stays for itself. One sequence, or one command, is the work. Several are a graph: its run enqueues
/// them as children of the command that runs it, and the dependencies between them are the children's wait lists.
///
/// Which commands are small is known when they have run. So a plan is made anew now and then (CommandBuffer), and when
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

/// A recorded command, as far as its place in the plan depends on it.
struct Step {
  WorkPtr work;                      ///< null: nothing to do (a barrier, a launch of nothing)
  std::uint32_t place = 0;           ///< the queue that it is for; those of one device may be one place
  std::vector<std::uint32_t> after;  ///< the earlier steps that it waits for
};

class Plan {
 public:
  Plan() = default;
  /// May throw std::bad_alloc.
  explicit Plan(std::span<const Step> steps);

  /// The work of one run, all of it on the queue that it is submitted to.
  [[nodiscard]] WorkPtr work() const { return whole_.share(); }
  /// The same where there are several places: `queues[i]` is place i. It is submitted to the first of them.
  [[nodiscard]] WorkPtr work(std::vector<Ref<Queue>> queues) const;

  /// A command of a sequence was found to be large: another plan would be better.
  [[nodiscard]] bool outgrown() const { return outgrown_ != nullptr && outgrown_->load(std::memory_order_relaxed); }

 private:
  WorkPtr whole_;
  bool is_graph_ = false;
  std::shared_ptr<std::atomic<bool>> outgrown_;
};

}  // namespace lanewise

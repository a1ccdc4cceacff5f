// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions for a work that enqueues child commands while it runs (Queue::submit_child).
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/exec/event.h"
#include "runtime/exec/family.h"

namespace lanewise {

/// The goods that all commands of the family of `running` share. `running` is Worker::running. Null: there are none
/// yet.
FamilyGoods* goods_of(Event& running);
/// Gives the family `fresh`, unless another thread has given it goods before, and returns its goods. Null: out of
/// memory.
FamilyGoods* share_goods(Event& running, std::unique_ptr<FamilyGoods> fresh);

/// Writes two numbers to `to` when the child command `event` has ended, or now if it has: the nanoseconds from its
/// start to the end of its own run, and from its start to the end of its children (capture_event_profiling_info). Has
/// no effect on events without ChildCommand::has_captures, and on those of queues without profiling.
void capture_times(Event& event, std::uint64_t* to);

}  // namespace lanewise

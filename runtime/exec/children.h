// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the work of a command may ask for while it runs and enqueues others (Queue::submit_child).
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/exec/event.h"
#include "runtime/exec/family.h"

namespace lanewise {

/// What the commands below the application's command share that `running` (Worker::running) is a part of. Null: nothing
/// yet.
FamilyGoods* goods_of(Event& running);
/// The same after giving them `fresh`, unless another thread has been faster. Null: out of memory.
FamilyGoods* share_goods(Event& running, std::unique_ptr<FamilyGoods> fresh);

/// Writes two numbers when `event`, a child's (ChildCommand::has_captures), has ended, or now: the nanoseconds from its
/// start to the end of its own run, and to that of its children. Nothing happens for others, nor without profiling.
void capture_times(Event& event, std::uint64_t* to);

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Last step: each region becomes a loop nest over the work-items of a group, inside the frame of the range function.
///
///     region.1:                   ; %next = 0; values kept per group are loaded before any work-item can change them
///     items.z: items.y: items:    ; x innermost; returned work-items are skipped where there may be some, or
///                                 ; whole rows before the innermost loop
///                                 ; values kept per work-item are loaded or computed again
///       <copy of the region's blocks>
///     stop.2:                     ; a barrier: live values are stored, %next = 2
///     return:                     ; the kernel's end
///     items.end: ...
///     region.1.end:
///       switch %next, label %group.end [ 1, label %region.1   2, label %region.2 ]
///
/// The region behind turns (turns.h) runs again while a work-item is at a turn. Each notes at which one:
///
///     region.2:                   ; %at.turns = false
///     items:
///       %at = load i32, ...       ; this work-item's turn, 0: it is at none
///       switch %at, label %items.end [ 1, label %region.2.resume.1 ]
///     stop.1:                     ; a turn: live values and its number are stored, %at.turns = true
///     region.2.end:
///       br i1 %at.turns, label %region.2, label %region.2.no.turns
///     region.2.no.turns:
///       switch %next, ...
///
/// A region with one exit needs no %next. If some work-items return and others stop at a barrier, the group continues.
#pragma once

#include "compiler/groups/debug_info.h"
#include "compiler/groups/live_values.h"
#include "compiler/groups/private_memory.h"
#include "compiler/groups/range_function.h"
#include "compiler/groups/region_order.h"
#include "compiler/groups/regions.h"

namespace lanewise {

struct RegionInput {
  const WorkItemFunction& item;
  const RegionGraph& graph;
  const PrivateMemory& memory;
  const LiveValues& live;
  RegionOrders orders;
  bool slots_in_frame;  ///< slots of values are variables of the range function, which LLVM can keep in registers
  bool debug_barriers;
  DebugInfo& debug;
};

/// Fills `range` with the regions. The work-item function is left as it was.
void emit_regions(RangeFunction& range, const RegionInput& input);

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The form of work-item loops, as compiler/groups writes them, and their metadata.
///
///     items:
///       %x = phi i64 [ 0, %before ], [ %next, %items.end ]       the local id of a work-item, and the only phi
///       ...
///     items.end:
///       %next = add nuw i64 %x, 1
///       %more = icmp ult i64 %next, %size
///       br i1 %more, label %items, label %exit, !llvm.loop !0
///
///     !0 = distinct !{!0, !{!"lanewise.items"}}                  or !{!"lanewise.items", !"why it stays scalar"}
///     !0 = distinct !{!0, !{!"lanewise.items"}, !{!"lanewise.sub_group", i32 8}}       and perhaps !"flattened"
#pragma once

#include <llvm/Analysis/LoopInfo.h>

#include "compiler/lanes/analysis/refusal.h"

namespace lanewise::spmd {

struct ItemLoop {
  llvm::Loop* loop = nullptr;
  llvm::PHINode* id = nullptr;
  llvm::Value* size = nullptr;  ///< the trip count
};

/// A loop whose vectors are sub-groups: the number of lanes is given, and nothing may be left scalar.
struct SubGroupLoop {
  unsigned width = 0;      ///< 0: another loop
  bool flattened = false;  ///< one loop runs over all rows of a work-group: that is rare, so one form is enough
};

/// The loop's `lanewise.items` metadata; null if it has none. A second operand is a reason to leave the loop scalar.
[[nodiscard]] const llvm::MDNode* items_metadata(const llvm::Loop& loop);

/// The loop that runs the work-items around `loop`; null if there is none.
[[nodiscard]] const llvm::Loop* items_around(const llvm::Loop& loop);

/// Reads `lanewise.sub_group`.
[[nodiscard]] SubGroupLoop sub_group_loop(const llvm::Loop& loop);

/// Finds id and size of `items.loop`: its only phi counts from 0 by 1 up to an invariant size.
[[nodiscard]] Refusal find_count(ItemLoop& items);

}  // namespace lanewise::spmd

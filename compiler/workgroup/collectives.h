// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What all work-items of a group do together: broadcasts, reductions and scans (the operations of a work-group in
/// compiler/builtins/known_functions.h). Each is a barrier with something to do between the last work-item that comes
/// and the first that goes on:
///
///     region.0.stop.1:      ; each work-item leaves its operand in a slot of item scratch
///       store i32 %x, ...
///     collective.1:         ; once for the group: a function that goes over the slot a vector at a time
///       %total = call i32 @lanewise.work_group_reduce_add_int(ptr %slot, ptr null, i64 %group.items)
///       store i32 %total, ptr %r.kept     ; like any value across a barrier: for the group, or (a scan) for each item
///       br label %region.1
///
/// Lanes and their order follow from the type alone, never from the width of the work-item loops or from the machine, so
/// that sums of floats have the same bits however a kernel was compiled.
#pragma once

#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/workgroup/region_shared.h"

namespace lanewise {

/// In front of a stop's end: this work-item's operands of what happens at barrier `number`, nothing for a plain one.
/// @param map     of the kernel's values to those of the region
/// @param linear  the work-item's linear local id
void store_operands(llvm::IRBuilder<>& b, RegionShared& shared, unsigned number, llvm::ValueToValueMapTy& map,
                    llvm::Value* linear);

/// Writes what the group does at barrier `number` before it goes on. Where the group goes: the begin of what is written,
/// or of the region behind a plain barrier.
[[nodiscard]] llvm::BasicBlock* emit_collective(RegionShared& shared, unsigned number);

}  // namespace lanewise

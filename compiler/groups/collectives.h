// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Broadcasts, reductions and scans of a work-group (the operations of a work-group in
/// compiler/builtins/known_functions.h). Each is a barrier with work to do between the last work-item that arrives and
/// the first that continues:
///
///     region.0.stop.1:      ; each work-item leaves its operand in a slot of item scratch
///       store i32 %x, ...
///     collective.1:         ; once for the group: a function that goes over the slot a vector at a time
///       %total = call i32 @lanewise.work_group_reduce_add_int(ptr %slot, ptr null, i64 %group.items)
///       store i32 %total, ptr %r.kept     ; like any value across a barrier: per group, or (a scan) per work-item
///       br label %region.1
///
/// The number of lanes and their order depend on the type alone, not on the width of the work-item loops or on the
/// machine, so that sums of floats have the same bits however a kernel was compiled.
#pragma once

#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/groups/region_shared.h"

namespace lanewise {

/// Stores this work-item's operands of the operation at barrier `number`, at the end of a stop. A plain barrier has
/// none.
/// @param map     the values of the region for those of the kernel
/// @param linear  the work-item's linear local id
void store_operands(llvm::IRBuilder<>& b, RegionShared& shared, unsigned number, llvm::ValueToValueMapTy& map,
                    llvm::Value* linear);

/// Emits the operation of the group at barrier `number`. Returns the block to which the group goes: the first block of
/// the operation or, for a plain barrier, of the region after it.
[[nodiscard]] llvm::BasicBlock* emit_collective(RegionShared& shared, unsigned number);

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Lets work-items that do nothing between two barriers leave their values where they are, such as those beyond the
/// borders of a matrix whose products the others sum up. If they stored their values again, they would have to take
/// part in the region:
///
///     items:                                              items:
///       %old = load float, ptr %slot.of.item                %old = load float, ptr %slot.of.item
///       br i1 %inside, label %work, label %stop     =>      br i1 %inside, label %work, label %stop
///     work: ...                                           work: ...
///       br label %stop                                      br label %changed
///     stop:                                               changed:
///       %v = phi float [ %old, %items ], [ %new, %work ]    store float %new, ptr %slot.of.item
///       store float %v, ptr %slot.of.item                   br label %stop
///       br label %items.end                               stop:
///                                                           br label %items.end
///
/// The condition can then bound the vector loop (lanes/analysis/guards.h).
#pragma once

#include <llvm/ADT/ArrayRef.h>

namespace llvm {
class BasicBlock;
}

namespace lanewise {

/// @param item  where a work-item begins
/// @param end   where it ends
/// @param body  the blocks of the kernel in between
/// Changes nothing unless all that such work-items do is store what they have loaded, and ids alone decide which they
/// are.
void leave_unchanged_values(llvm::BasicBlock& item, llvm::BasicBlock& end, llvm::ArrayRef<llvm::BasicBlock*> body);

}  // namespace lanewise

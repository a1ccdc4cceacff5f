// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Counters of loops with barriers that begin at another number in each work-item: the part that differs is taken out,
/// so that it is computed again behind a barrier instead of being kept per work-item, where it does not show any more
/// that neighbours differ by one.
///
///     header:                                          %base = sext i32 %start to i64
///       %i = phi i32 [ %start, ... ], [ %n, ... ]    header:
///       ...                                              %offset = phi i64 [ 0, ... ], [ %on, ... ]   ; uniform
///       call void @barrier()                        =>   %wide = add i64 %base, %offset
///       %e = sext i32 %i to i64                          call void @barrier()
///       %n = add nsw i32 %i, %step                       ...                                          ; %wide for %e
///                                                        %on = add i64 %offset, %step.wide
#pragma once

#include "compiler/workgroup/work_item_function.h"

namespace lanewise {

/// Call before regions are formed. Does nothing to functions without barriers.
void split_inductions(const WorkItemFunction& item);

}  // namespace lanewise

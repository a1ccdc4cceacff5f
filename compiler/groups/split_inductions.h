// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Splits the counter of a loop with barriers, whose start differs between work-items, into a varying base and a
/// uniform offset. The base is computed again after a barrier. If the counter were kept per work-item in memory, it
/// would no longer show that the counters of neighbouring work-items differ by one.
///
///     header:                                          %base = sext i32 %start to i64
///       %i = phi i32 [ %start, ... ], [ %n, ... ]    header:
///       ...                                              %offset = phi i64 [ 0, ... ], [ %on, ... ]   ; uniform
///       call void @barrier()                        =>   %wide = add i64 %base, %offset
///       %e = sext i32 %i to i64                          call void @barrier()
///       %n = add nsw i32 %i, %step                       ...                                          ; %wide for %e
///                                                        %on = add i64 %offset, %step.wide
///
/// So are addresses that move by the same number of bytes in each iteration, as in OpenCV's boxFilter and SHOC's
/// products of matrices, and counters that are components of small vectors (vector_counters.h).
#pragma once

#include "compiler/groups/work_item_function.h"

namespace lanewise {

/// To be called before regions are formed. Does nothing to functions without barriers.
void split_inductions(const WorkItemFunction& item);

}  // namespace lanewise

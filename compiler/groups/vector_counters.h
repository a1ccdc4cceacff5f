// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Components of small integer vectors that a loop counts, as values of their own:
///
///     %v = phi <2 x i32> [ %start, ... ], [ %n, ... ]       %y = phi i32 [ %start.y, ... ], [ %y1, ... ]
///     %y = extractelement %v, 1                       =>    %y1 = add i32 %y, 1
///     %y1 = add i32 %y, 1                                   ; %start.x for the other component, which stays as it is
///     %n = insertelement %v, %y1, 1
///
/// As a vector they would be kept across barriers for each work-item, and nothing would show that the components of
/// neighbours differ by one, or not at all. OpenCV's boxFilter counts so (`pos.y++`).
#pragma once

namespace llvm {
class Loop;
}

namespace lanewise {

/// Takes the vectors apart that `loop`, which has a preheader and one latch, counts in: each iteration replaces some
/// components, or adds something that does not change, and at least one component is counted or stays as it is.
void split_vector_counters(const llvm::Loop& loop);

}  // namespace lanewise

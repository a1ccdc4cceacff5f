// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Merges functions into their kernel without a copy for each call. Such functions have to be part of the kernel, as
/// they have barriers or ask for work-item ids, but are called too often to be inlined: all calls in the kernel share
/// one body. Each call stores its number, and the body ends in a switch over these numbers. OpenCL C has no recursion,
/// so one number per function replaces the call stack, and a kernel has no more code than its source has.
///
///     define void @k(...) {                            define void @k(...) {
///       %y = call i32 @f(i32 %a) ; "lanewise-shared"     br label %f.shared
///       %c = add i32 %y, 1                             f.shared:
///       %z = call i32 @f(i32 %c)                         %x = phi i32 [ %a, %entry ], [ %c, %f.return ]
///       store i32 %z, ptr %p                     =>      %call = phi i32 [ 0, %entry ], [ 1, %f.return ]
///       ret void                                         %result = call i32 @f(i32 %x)      ; then inlined
///     }                                                  switch i32 %call, label %f.return1 [ i32 0, label %f.return ]
///                                                      f.return:
///                                                        %c = add i32 %result, 1
///                                                        br label %f.shared
///                                                      f.return1:
///                                                        store i32 %result, ptr %p
///                                                        ret void
///
/// A barrier in the body stays one barrier: it is reached by all work-items of a group or by none, from whichever call.
/// Invariants: afterwards no marked function is called, and values that live across a call reach their uses through
/// phis at the head of the body. Values of different calls share a phi, so a body has as many as live across one call,
/// and not as many as across all. Where nothing lives across a call, its operand is poison, which nothing reads.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct ShareCallsPass : RequiredPass<ShareCallsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

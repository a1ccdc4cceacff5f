// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Work-items that may wait for others of their group take turns: a loop that waits (kernel/group_waits.h) stops now
/// and then, so that the others go on, and is resumed after them.
///
///     loop:                                          loop:
///       %v = load atomic i32, ptr addrspace(3) %f      %round = phi i32 [ 0, %entry ], [ %next.round, %go ]
///       %wait = icmp eq i32 %v, 0                      %next.round = add i32 %round, 1
///       br i1 %wait, label %loop, label %exit     =>   %rest = and i32 %next.round, 63
///                                                      %turn.due = icmp eq i32 %rest, 0
///                                                      br i1 %turn.due, label %turn, label %go
///                                                    turn:
///                                                      call void @lanewise.turn()
///                                                      br label %go
///                                                    go:
///                                                      %v = load atomic i32, ptr addrspace(3) %f
///                                                      ...
///
/// A turn is the end of a region, as a barrier is, but those that come to it do not wait for the others of the group
/// (regions.h). So each work-item progresses on its own, which is more than sub-groups promise (CL_DEVICE_SUB_GROUP_-
/// INDEPENDENT_FORWARD_PROGRESS). Loops that end soon never come to it. Loops with several entries get a header first.
/// Where sub-groups are vectors, their work-items take turns together (gathered_turns.h).
///
/// A loop that only looks at local memory makes no progress until the others of its group go on. It takes a turn at the
/// begin of each round. That is also less to compile, as for named barriers: what follows such a loop belongs to its
/// region alone.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/base/pass.h"

namespace lanewise {

struct TakeTurnsPass : RequiredPass<TakeTurnsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Whether `i` is the call at which a work-item lets the others of its group go on.
[[nodiscard]] bool is_turn(const llvm::Instruction& i);
[[nodiscard]] bool has_turn(const llvm::Function& function);
/// Removes those calls. Returns whether there were any.
bool drop_turns(llvm::Function& function);
/// Writes such a call.
void create_turn(llvm::IRBuilderBase& b, llvm::Module& module);

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is done for one active lane after the other, in a loop of its own.
///
/// An atomic operation whose result is not used:
///
///     atomicrmw add ptr %p, i32 1     =>     store <16 x ptr> %p, ptr %lanes
///                                            loop: %left = phi i32 [ %mask, ... ], [ %rest, %loop ]
///                                                  %p.lane = load ptr, (%lanes + cttz(%left))
///                                                  atomicrmw add ptr %p.lane, i32 1
///                                                  %rest = and %left, (%left - 1)
///                                                  br (%rest != 0), %loop, %done
///
/// Without a mask the loop counts. It is never unrolled: where the operation is a plain load and store (local memory,
/// private copies), processors predict for each of these instructions from which store a load gets its value. Sixteen
/// pairs of them in a row mislead Zen 5 so often that an addition takes 6 ns; one pair is predicted well and takes 0.5.
///
/// A call of a function that has not been inlined, or of a service of the runtime, whose results come back the same
/// way: one call and three blocks to compile instead of sixteen calls and 32 blocks. In first code, and in code that
/// hardly ever runs (marks::kRare).
#pragma once

#include <llvm/IR/Instructions.h>

#include "compiler/lanes/emit/vector_state.h"

namespace lanewise::spmd {

/// The operation itself, once, with another address and value.
llvm::Value* perform(llvm::IRBuilder<>& b, const llvm::AtomicRMWInst& atomic, llvm::Value* pointer, llvm::Value* value);

void emit_lane_loop(VectorState& state, const llvm::AtomicRMWInst& atomic, llvm::Value* mask);

/// Whether the call is one of a function with a body, or by an address, and its arguments and its result can be kept in
/// memory lane by lane.
[[nodiscard]] bool can_loop_over_lanes(const llvm::CallInst& call);

/// @param call  one that can
void emit_lane_loop(VectorState& state, const llvm::CallInst& call, llvm::Value* mask);

}  // namespace lanewise::spmd

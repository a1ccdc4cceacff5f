// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Instructions without a vector form, one active lane after the other: atomics, calls, volatile accesses, conversions
/// of vectors.
///
///     %old = atomicrmw add ptr %p, i32 %v     =>     br i1 (mask 0), %lane, %skip
///                                                    lane: %old.0 = atomicrmw add ptr %p.0, i32 %v.0
///                                                    skip: phi, insertelement; and so on for each lane
#pragma once

#include "compiler/lanes/emit/vector_state.h"

namespace lanewise::spmd {

/// Emits `i` once per lane, after a test of the lane's mask where it has effects.
void emit_per_lane(VectorState& state, const llvm::Instruction& i, llvm::Value* mask);

}  // namespace lanewise::spmd

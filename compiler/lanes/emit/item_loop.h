// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The loops that replace a work-item loop:
///
///     for (x = low; x + W <= high; x += W) items<W>(x)                  ; if the assumptions about ids hold
///     for (; x < high; x += step) items<W>(x, lane < min(high - x, step))   ; masked: at most once, with step = W
///
/// Work-items outside of [low, high) do nothing (guards.h); without such conditions the range is [0, size).
///
/// Where an assumption does not hold, the masked loop runs all work-items with step = 1: a single lane has no stride
/// that could be wrong. So no scalar form is needed. Where masks are expensive (elements for which the processor has no
/// masked accesses), the tail stays the scalar loop that it was. Where the body is large, the masked loop runs all
/// work-items: that is half the code to compile, at the price of a few tests of masks; where masked accesses are slow,
/// each tests whether the vector is full.
#pragma once

#include "compiler/lanes/plan/planner.h"

namespace lanewise::spmd {

/// Emits the vector forms. The original loop runs the tail (Tail::scalar) or becomes unreachable.
void emit_item_loop(const LoopFacts& facts, const LoopPlan& plan, Isa isa, const llvm::TargetTransformInfo& target);

}  // namespace lanewise::spmd

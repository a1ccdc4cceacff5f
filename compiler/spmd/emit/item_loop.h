// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The loops that take the place of a work-item loop:
///
///     for (x = low; x + W <= high; x += W) items<W>(x)                  ; if the assumptions about ids hold
///     for (; x < high; x += step) items<W>(x, lane < min(high - x, step))   ; masked: at most once, with step = W
///
/// Work-items outside of [low, high) do nothing (guards.h); without such conditions that is [0, size).
///
/// Where an assumption does not hold, the masked loop does all of it with step = 1: a single lane has no stride that
/// could be wrong. So no scalar form is needed. Where masks are expensive (elements that the processor has no masked
/// accesses for), the rest stays the scalar loop that it was. Where the body is large, the masked loop does all
/// work-items: half the code to compile, for a few tests of masks; where masked accesses are slow they ask whether the
/// vector is full.
#pragma once

#include "compiler/spmd/plan/planner.h"

namespace lanewise::spmd {

/// Emits the vector forms. The original loop keeps the rest (Tail::scalar) or becomes unreachable.
void emit_item_loop(const LoopFacts& facts, const LoopPlan& plan, Isa isa, const llvm::TargetTransformInfo& target);

}  // namespace lanewise::spmd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Work-item loops of kernels with sub-groups: a vector is a sub-group, so nothing may be left scalar, and the last
/// vector may be partial.
///
///     for (x = 0; x < size; ++x) item(x)
///  =>
///     for (x = 0; x + W <= size; x += W) items<W>(x)
///     if (x < size) items<W>(x) for the first size - x lanes
///
/// A flattened loop, which is rare, is emitted once, always with its mask.
#pragma once

#include "compiler/lanes/emit/lane_storage.h"
#include "compiler/lanes/plan/planner.h"

namespace lanewise::spmd {

/// Replaces the loop, whose blocks become unreachable, by its vector form. All loops of a function share the private
/// variables in `storage`.
void emit_sub_group_loop(const LoopFacts& facts, const LoopPlan& plan, const llvm::TargetTransformInfo& target,
                         LaneStorage& storage);

}  // namespace lanewise::spmd

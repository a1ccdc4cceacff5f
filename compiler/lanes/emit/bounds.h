// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The work-items that a loop has to run, as numbers computed before it: those that pass its guards (guards.h),
/// and whether what the plan assumes about ids is true.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/lanes/plan/planner.h"

namespace lanewise::spmd {

/// The local ids to run: [low, high), which is right only if the assumptions hold, and [begin, end), which is right in
/// any case. All four are at most the size, and no interval ends before it begins.
struct ItemRange {
  llvm::Value* low = nullptr;  ///< null: 0
  llvm::Value* high = nullptr;
  llvm::Value* begin = nullptr;
  llvm::Value* end = nullptr;
  llvm::Value* assumed = nullptr;  ///< i1; null: nothing is assumed
  bool may_be_empty = false;
};

/// Computes the range at the place of `builder`, which is outside of the loop.
[[nodiscard]] ItemRange emit_range(llvm::IRBuilder<>& builder, const LoopFacts& facts, const LoopPlan& plan);

}  // namespace lanewise::spmd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Register blocking: several rows and several vectors of work-items in one iteration of a vector loop (unroll-and-jam
/// of the work-item loops over the loops inside). What does not depend on the row or the column is computed once:
///
///     for y: for x by W:  for k: s += a[y][k] * b[k][x .. x+W]
///  =>
///     for y by 2: for x by 2W:  for k: a0 = a[y][k]; a1 = a[y+1][k]; b0 = b[k][x ..]; b1 = b[k][x+W ..];
///                                      s00 += a0 * b0; s01 += a0 * b1; s10 += a1 * b0; s11 += a1 * b1
///
/// Work-items of a region are not ordered, so this is always allowed; it needs branches that are the same for all of
/// them. There are then several independent chains of operations, which hides their latency, and loads are shared.
/// Some branches may be shared all the same (analysis/shared_branches.h).
///
/// Loops that stay scalar because the source has vectors of its own that fill registers gain the same way: their
/// work-items are vectors of one lane.
#pragma once

#include "compiler/base/pass.h"
#include "compiler/lanes/plan/blocking.h"

namespace lanewise::spmd {

/// Writes the blocked loops before the loop, which runs what is left.
void emit_columns(const VectorLoop& loop, unsigned columns);
void emit_rows(const VectorLoop& loop, Blocking blocking);

/// Blocks every vector loop of work-items that gains from it. In hot kernels it also blocks loops with branches that
/// the vectors have to share: that is more code, and much of it seldom runs.
struct BlockRegistersPass : RequiredPass<BlockRegistersPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Runs several work-items side by side in the scalar loops of KernelContext::own_vectors that gain from it: one
/// work-item may wait for the results of its few operations. For hot kernels, as there is another copy to compile.
/// clpeak's kernels with vectors of 8 and 16 numbers are such: twice as fast with 256 bits and without masks.
struct BlockItemsPass : RequiredPass<BlockItemsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise::spmd

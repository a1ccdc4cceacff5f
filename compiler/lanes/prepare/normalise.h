// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The form that the analysis expects: no switches, reducible cycles in simplified and closed SSA form with one exit
/// block each, vector arithmetic split into scalars (loads, stores, inserts and extracts of vectors stay),
/// `unreachable` replaced by a branch to the loop's end, and sign extensions of sums turned into sums of extensions:
///
///     %s = add nsw i32 %row, %x                  %a = sext i32 %row to i64
///     %i = sext i32 %s to i64            =>      %b = sext i32 %x to i64
///                                                %i = add nsw i64 %a, %b
///
/// The index is then strided without a test for overflow: an overflow would be undefined in the original. Addresses of
/// fields that are used in a loop and after it are computed before the loop, those in private variables at the begin of
/// the work-item. So are loads that are the same in all iterations (invariant_loads.h).
#pragma once

#include "compiler/base/pass.h"

namespace lanewise::spmd {

void normalise(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

struct NormaliseItemLoopsPass : RequiredPass<NormaliseItemLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lanewise::spmd

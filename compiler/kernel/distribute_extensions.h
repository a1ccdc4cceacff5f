// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Replaces extensions of sums by sums of extensions, where the sum does not wrap:
///
///     %s = add nsw i32 %row, %x                  %a = sext i32 %row to i64
///     %i = sext i32 %s to i64            =>      %b = sext i32 %x to i64
///                                                %i = add nsw i64 %a, %b
///
/// Runs before InstCombine, which would compute such a sum of truncated ids in 64 bits and lose the fact that it does
/// not wrap, and before the vectoriser looks at a loop.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// Rewrites extensions of sums, differences, products and shifts to the left.
void distribute_extensions(llvm::Function& function);

struct DistributeExtensionsPass : RequiredPass<DistributeExtensionsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lanewise

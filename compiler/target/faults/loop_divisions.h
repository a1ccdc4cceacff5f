// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which loops LLVM's loop vectoriser must leave alone: those with an integer division that not every iteration makes.
///
///     for (i = 0; i < n; ++i)
///       if (i == 1) b[0] = a[x % y];
///
/// LLVM divides once for all lanes there, if lane 0 makes the division, and uses the result in the lanes that do (seen
/// with LLVM 22): with x % y the same in all of them, iteration 1 reads from any address. A division by a constant, and
/// one that every iteration makes, need no condition.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// To be run right before the loop vectoriser. The loops get `kNoVectors`.
struct KeepLoopDivisionsPass : RequiredPass<KeepLoopDivisionsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lanewise

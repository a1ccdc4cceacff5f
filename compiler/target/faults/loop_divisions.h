// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which loops LLVM's loop vectoriser must leave alone: those with an integer division that not every iteration makes.
///
///     for (i = 0; i < n; ++i)
///       if (i == 1) b[0] = a[x % y];
///
/// Where x % y is the same in all lanes LLVM divides once, by y if lane 0 makes the division and by 1 if it does not,
/// and uses the result in the lanes that do: iteration 1 reads from a wrong address. A division by a constant, and
/// one that every iteration makes, need no condition.
///
/// Not reported: LLVM 22.1 has it. LLVM 23 writes such divisions otherwise (llvm.masked.urem, pull request 191377).
/// Reproducer: tests/lit/faults/loop_divisions.ll.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// To be run right before the loop vectoriser. The loops get `kNoVectors`.
struct KeepLoopDivisionsPass : RequiredPass<KeepLoopDivisionsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lanewise

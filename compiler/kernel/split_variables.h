// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Splits structures into values that could not be split before inlining. An index that is kept in the variable itself,
/// such as the place in a buffer of random numbers, is known only after inlining and simplification, and until then the
/// variable stays in one piece.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct SplitVariablesPass : RequiredPass<SplitVariablesPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Structures as values that could not be before: an index that is kept in the variable itself, as the place in a buffer of
/// random numbers, is known only after inlining and simplification; the variable was in one piece until then.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct SplitVariablesPass : RequiredPass<SplitVariablesPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Chooses, by the kernel's size after inlining, which of LLVM's passes run and whether the kernel is worth vectors.
/// Changes no IR.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct ChooseEffortPass : RequiredPass<ChooseEffortPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

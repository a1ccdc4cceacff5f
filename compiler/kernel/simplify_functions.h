// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Brings functions into SSA form, roughly simplified: Clang makes a variable of everything that a program names.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct SimplifyFunctionsPass : RequiredPass<SimplifyFunctionsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

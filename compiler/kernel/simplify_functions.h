// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SSA form, roughly simplified: Clang makes variables of all that a program names.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct SimplifyFunctionsPass : RequiredPass<SimplifyFunctionsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

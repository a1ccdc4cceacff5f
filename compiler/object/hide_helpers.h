// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Only what the driver calls stays visible in an object: LLVM may specialise all other functions, and drop them.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct HideHelpersPass : RequiredPass<HideHelpersPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Decides whether LLVM's own vectorisers run: where loops of work-items have stayed scalar, or where vectors are taken
/// apart and stored element by element, which LLVM may join to vector stores. Changes no IR.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct ChooseVectorisersPass : RequiredPass<ChooseVectorisersPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Gives generic pointers the address space that they come from. Runs twice, because a variable that generic pointers
/// point to may itself contain pointers.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct ResolveGenericPointersPass : RequiredPass<ResolveGenericPointersPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private arrays as values: those across barriers, which would have a copy for each work-item, and those of counted elements
/// (counted_arrays.h). Their loops are unrolled for it.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct PromotePrivateArraysPass : RequiredPass<PromotePrivateArraysPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

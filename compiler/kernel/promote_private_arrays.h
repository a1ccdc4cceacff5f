// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Turns private arrays into values, and unrolls their loops for it: arrays that live across barriers, which would have
/// a copy for each work-item, and arrays of counted elements (counted_arrays.h).
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct PromotePrivateArraysPass : RequiredPass<PromotePrivateArraysPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Keeps LLVM from unrolling loops with barriers, because each copy of a barrier is a loop over all work-items.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct KeepBarrierLoopsPass : RequiredPass<KeepBarrierLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lanewise

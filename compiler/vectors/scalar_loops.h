// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Drops scalar loops that no work-item is left for: where the size of a row is known, a vector loop may run all of it.
///
///     br i1 true, label %vector, label %items     ->     br label %vector
///
/// Runs after the passes that block registers, which look for the form with the condition.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise::spmd {

struct DropScalarLoopsPass : RequiredPass<DropScalarLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise::spmd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectors/scalar_loops.h"

#include <llvm/Transforms/Utils/Local.h>

#include "compiler/base/context.h"

namespace lanewise::spmd {

llvm::PreservedAnalyses DropScalarLoopsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  bool changed = false;
  for (llvm::Function* function : lowered_kernels(module, context_of(module, analyses)))
    changed |= llvm::removeUnreachableBlocks(*function);
  return unless_changed(changed);
}

}  // namespace lanewise::spmd

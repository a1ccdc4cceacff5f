// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/object/hide_helpers.h"

#include "compiler/base/context.h"

namespace lanewise {

llvm::PreservedAnalyses HideHelpersPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  const auto visible = lowered_kernels(module, context_of(module, analyses));
  for (llvm::Function& function : module)
    if (!llvm::is_contained(visible, &function) && !function.isDeclaration())
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  return llvm::PreservedAnalyses::none();
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/rename_user_functions.h"

#include "compiler/base/context.h"

namespace lanewise {

llvm::PreservedAnalyses RenameUserFunctionsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && !context.compiles(function.getName()) && !function.getName().starts_with("_Z"))
      function.setName(function.getName() + kUserFunctionSuffix);
  return llvm::PreservedAnalyses::all();
}

}  // namespace lanewise

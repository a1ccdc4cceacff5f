// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/keep_kernel.h"

#include <llvm/Transforms/IPO/GlobalDCE.h>

#include "compiler/base/context.h"
#include "compiler/frontend/link.h"

namespace lanewise {

llvm::PreservedAnalyses KeepKernelPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  for (llvm::Function* kernel : kernels_of(module)) {
    if (context.compiles(kernel->getName())) continue;
    if (kernel->use_empty()) {
      kernel->eraseFromParent();
    } else {
      kernel->setLinkage(llvm::GlobalValue::InternalLinkage);  // called by the kept one (SPIR-V only)
    }
  }
  // What only the other kernels call would be simplified for nothing, and its calls would count in decisions.
  (void)llvm::GlobalDCEPass().run(module, analyses);
  return llvm::PreservedAnalyses::none();
}

}  // namespace lanewise

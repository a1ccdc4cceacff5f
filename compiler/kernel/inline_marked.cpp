// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/inline_marked.h"

#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "compiler/base/context.h"
#include "compiler/kernel/distribute_extensions.h"

namespace lanewise {

llvm::PreservedAnalyses InlineMarkedPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  llvm::ModulePassManager passes;
  const bool keeps = context_of(module, analyses).workgroup.every_value;
  passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/!keeps));
  passes.addPass(llvm::GlobalDCEPass());
  if (keeps) return passes.run(module, analyses);
  llvm::FunctionPassManager functions;
  functions.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  functions.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  functions.addPass(llvm::SimplifyCFGPass());
  functions.addPass(DistributeExtensionsPass());
  functions.addPass(llvm::InstCombinePass());
  functions.addPass(llvm::ADCEPass());
  functions.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
  return passes.run(module, analyses);
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/resolve_generic_pointers.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "compiler/base/address_spaces.h"

namespace lanewise {
namespace {

bool has_generic_pointers(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& i) {
    const llvm::Type* type = i.getType();
    return type->isPtrOrPtrVectorTy() && type->getPointerAddressSpace() == generic_space;
  });
}

}  // namespace

llvm::PreservedAnalyses ResolveGenericPointersPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  llvm::FunctionAnalysisManager& functions = function_analyses(module, analyses);
  const bool changed = change_functions(module, [&](llvm::Function& function) {
    if (!has_generic_pointers(function)) return false;
    llvm::FunctionPassManager passes;
    for (int round = 0; round < 2; ++round) {
      passes.addPass(llvm::InferAddressSpacesPass(generic_space));
      passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
      passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
      passes.addPass(llvm::InstCombinePass());
      passes.addPass(llvm::SimplifyCFGPass());
    }
    functions.invalidate(function, passes.run(function, functions));
    return true;
  });
  return unless_changed(changed);
}

}  // namespace lanewise

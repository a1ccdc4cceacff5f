// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/choose_vectorisers.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/base/context.h"

namespace lanewise {
namespace {

/// True if vectors are taken apart and stored element by element, which LLVM may join to vector stores.
bool stores_elements(const llvm::Function& function) {
  constexpr unsigned kFew = 8;
  unsigned found = 0;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& i : block)
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
        found += llvm::isa<llvm::ExtractElementInst>(store->getValueOperand()) ? 1 : 0;
  return found >= kFew;
}

}  // namespace

llvm::PreservedAnalyses ChooseVectorisersPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  KernelContext& context = context_of(module, analyses);
  for (const llvm::Function* function : lowered_kernels(module, context))
    context.scalar_code |= stores_elements(*function);
  return llvm::PreservedAnalyses::all();
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/split_variables.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "compiler/kernel/distribute_extensions.h"

namespace lanewise {
namespace {

/// True if every access to the variable is of a part that is known now, so that SROA makes values of it.
bool is_splittable(const llvm::AllocaInst& variable) {
  llvm::SmallVector<const llvm::Value*> work{&variable};
  while (!work.empty()) {
    const llvm::Value* pointer = work.pop_back_val();
    for (const llvm::User* user : pointer->users()) {
      const auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      const auto* copy = llvm::dyn_cast<llvm::MemIntrinsic>(user);
      if (step != nullptr && step->hasAllConstantIndices()) {
        work.push_back(step);
      } else if (store != nullptr) {
        if (store->isVolatile() || store->getValueOperand() == pointer) return false;
      } else if (copy != nullptr) {
        if (copy->isVolatile() || !llvm::isa<llvm::ConstantInt>(copy->getLength())) return false;
      } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user); load == nullptr || load->isVolatile()) {
        if (!llvm::isa<llvm::LifetimeIntrinsic>(user)) return false;
      }
    }
  }
  return true;
}

bool has_splittable_variable(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& i) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&i);
    return variable != nullptr && is_splittable(*variable);
  });
}

}  // namespace

llvm::PreservedAnalyses SplitVariablesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  llvm::FunctionAnalysisManager& functions = function_analyses(module, analyses);
  const bool changed = change_functions(module, [&](llvm::Function& function) {
    if (!has_splittable_variable(function)) return false;
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
    passes.addPass(DistributeExtensionsPass());
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    functions.invalidate(function, passes.run(function, functions));
    return true;
  });
  return unless_changed(changed);
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/split.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/frontend/link.h"

namespace lanewise {
namespace {

using Values = llvm::SmallPtrSet<const llvm::GlobalValue*, 32>;

/// Adds to `reached` every global that `constant` names, and to `work` those with a definition of their own.
void reach(const llvm::Constant& constant, Values& reached, llvm::SmallVectorImpl<const llvm::GlobalValue*>& work) {
  llvm::SmallVector<const llvm::Constant*, 8> stack{&constant};
  llvm::SmallPtrSet<const llvm::Constant*, 16> seen;
  while (!stack.empty()) {
    const llvm::Constant* next = stack.pop_back_val();
    if (const auto* global = llvm::dyn_cast<llvm::GlobalValue>(next)) {
      if (reached.insert(global).second) work.push_back(global);
      continue;
    }
    if (!seen.insert(next).second) continue;
    for (const llvm::Use& operand : next->operands())
      if (const auto* part = llvm::dyn_cast<llvm::Constant>(operand.get())) stack.push_back(part);
  }
}

/// `roots` and everything that they refer to, directly or not.
Values closure(llvm::ArrayRef<const llvm::GlobalValue*> roots) {
  llvm::SmallVector<const llvm::GlobalValue*, 16> work(roots);
  Values reached(roots.begin(), roots.end());
  while (!work.empty()) {
    const llvm::GlobalValue* global = work.pop_back_val();
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(global)) {
      if (variable->hasInitializer()) reach(*variable->getInitializer(), reached, work);
      continue;
    }
    const auto* function = llvm::dyn_cast<llvm::Function>(global);
    if (function == nullptr) continue;
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      for (const llvm::Use& operand : instruction.operands())
        if (const auto* constant = llvm::dyn_cast<llvm::Constant>(operand.get())) reach(*constant, reached, work);
  }
  return reached;
}

void drop_unused_declarations(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty()) function.eraseFromParent();
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals()))
    if (variable.isDeclaration() && variable.use_empty()) variable.eraseFromParent();
}

}  // namespace

std::vector<Bytes> split_by_kernel(const llvm::Module& module, const std::vector<llvm::Function*>& kernels) {
  std::vector<Bytes> parts;
  for (const llvm::Function* kernel : kernels) {
    const Values needed = closure({kernel});
    llvm::ValueToValueMapTy map;
    const auto part =
        llvm::CloneModule(module, map, [&](const llvm::GlobalValue* global) { return needed.contains(global); });
    drop_unused_declarations(*part);
    parts.push_back(write_program(*part));
  }
  return parts;
}

}  // namespace lanewise

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

/// Program-scope variables in global memory: one object for all kernels. __local variables (3) belong to a kernel.
bool is_shared(const llvm::GlobalVariable& variable) {
  return !variable.isConstant() && variable.getAddressSpace() == 1 && !variable.isDeclaration();
}

std::vector<const llvm::GlobalValue*> share_variables(llvm::Module& module) {
  std::vector<const llvm::GlobalValue*> shared;
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (!is_shared(variable)) continue;
    variable.setName("lanewise.variable." + variable.getName());
    variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
    variable.setVisibility(llvm::GlobalValue::HiddenVisibility);
    shared.push_back(&variable);
  }
  return shared;
}

void drop_unused_declarations(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty()) function.eraseFromParent();
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals()))
    if (variable.isDeclaration() && variable.use_empty()) variable.eraseFromParent();
}

}  // namespace

bool has_shared_variables(const llvm::Module& module) {
  return llvm::any_of(module.globals(), [](const llvm::GlobalVariable& v) { return is_shared(v); });
}

std::vector<Bytes> split_by_kernel(llvm::Module& module, const std::vector<llvm::Function*>& kernels) {
  const auto shared = share_variables(module);
  std::vector<Bytes> parts;
  for (const llvm::Function* kernel : kernels) {
    // The first part defines the shared variables, the others refer to them.
    const bool first = parts.empty();
    std::vector<const llvm::GlobalValue*> roots;
    if (first) roots = shared;
    roots.push_back(kernel);
    const Values needed = closure(roots);
    llvm::ValueToValueMapTy map;
    const auto part = llvm::CloneModule(module, map, [&](const llvm::GlobalValue* global) {
      const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(global);
      if (variable != nullptr && is_shared(*variable)) return first;
      return needed.contains(global);
    });
    drop_unused_declarations(*part);
    parts.push_back(write_program(*part));
  }
  return parts;
}

}  // namespace lanewise

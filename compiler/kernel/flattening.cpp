// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/flattening.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "compiler/base/address_spaces.h"
#include "compiler/base/marks.h"
#include "compiler/builtins/known_functions.h"

namespace lanewise {
namespace {

/// True if `constant` is, or contains, a variable whose address the work-item function computes: a __local or a stored
/// one.
bool names_placed_variable(const llvm::Constant& constant, llvm::SmallPtrSetImpl<const llvm::Constant*>& seen) {
  if (const auto* g = llvm::dyn_cast<llvm::GlobalVariable>(&constant))
    return g->getAddressSpace() == local_space || g->hasMetadata(marks::kStored);
  if (llvm::isa<llvm::GlobalValue>(constant) || !seen.insert(&constant).second) return false;
  return llvm::any_of(constant.operands(), [&](const llvm::Use& use) {
    const auto* part = llvm::dyn_cast<llvm::Constant>(use.get());
    return part != nullptr && names_placed_variable(*part, seen);
  });
}

}  // namespace

bool needs_flattening(const llvm::Function& function) {
  llvm::SmallVector<const llvm::Function*> work{&function};
  llvm::SmallPtrSet<const llvm::Function*, 16> seen;
  llvm::SmallPtrSet<const llvm::Constant*, 32> constants;
  while (!work.empty()) {
    const llvm::Function* f = work.pop_back_val();
    if (!seen.insert(f).second) continue;
    for (const llvm::Instruction& i : llvm::instructions(f)) {
      for (const llvm::Value* operand : i.operands()) {
        const auto* constant = llvm::dyn_cast<llvm::Constant>(operand);
        if (constant != nullptr && names_placed_variable(*constant, constants)) return true;
      }
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
      const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
      if (callee == nullptr) continue;
      if (known_function(*callee) != Known::none) return true;
      work.push_back(callee);
    }
  }
  return false;
}

llvm::PreservedAnalyses PrintFlatteningPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  for (const llvm::Function& f : module)
    if (!f.isDeclaration()) out_ << f.getName() << (needs_flattening(f) ? ": yes\n" : ": no\n");
  return llvm::PreservedAnalyses::all();
}

}  // namespace lanewise

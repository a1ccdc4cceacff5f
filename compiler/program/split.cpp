// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/program/split.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/base/address_spaces.h"
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

KernelParts::KernelParts(const llvm::Module& module, const std::vector<llvm::Function*>& kernels) : module_(module) {
  for (const llvm::Function* kernel : kernels) needed_.push_back(closure({kernel}));
}

std::uint64_t KernelParts::instructions() const {
  llvm::DenseMap<const llvm::GlobalValue*, std::uint64_t> sizes;
  for (const llvm::Function& function : module_) sizes[&function] = function.getInstructionCount();
  std::uint64_t sum = 0;
  for (const Values& values : needed_)
    for (const llvm::GlobalValue* value : values) sum += sizes.lookup(value);
  return sum;
}

std::uint64_t KernelParts::local_bytes(std::size_t number) const {
  const llvm::DataLayout& layout = module_.getDataLayout();
  std::uint64_t sum = 0;
  for (const llvm::GlobalValue* value : needed_[number]) {
    const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(value);
    if (variable == nullptr || variable->getAddressSpace() != local_space) continue;
    const std::uint64_t bytes = layout.getTypeAllocSize(variable->getValueType()).getFixedValue();
    sum = llvm::SaturatingAdd(sum, llvm::SaturatingAdd(bytes, layout.getPreferredAlign(variable).value()));
  }
  return sum;
}

Bytes KernelParts::part(std::size_t number) const {
  const Values& needed = needed_[number];
  llvm::ValueToValueMapTy map;
  const auto part =
      llvm::CloneModule(module_, map, [&](const llvm::GlobalValue* global) { return needed.contains(global); });
  drop_unused_declarations(*part);
  return write_program(*part);
}

}  // namespace lanewise

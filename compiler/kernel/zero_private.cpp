// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/zero_private.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace lanewise {
namespace {

/// Events and samplers have no bytes that a program could read.
bool has_bytes(const llvm::Type& type) {
  const auto* target = llvm::dyn_cast<llvm::TargetExtType>(&type);
  return target == nullptr || target->hasProperty(llvm::TargetExtType::HasZeroInit);
}

void store_zeros(llvm::AllocaInst& variable, llvm::Instruction& before) {
  llvm::IRBuilder<> builder(&before);
  llvm::Type* type = variable.getAllocatedType();
  if (!variable.isArrayAllocation() && type->isSingleValueType()) {
    builder.CreateAlignedStore(llvm::Constant::getNullValue(type), &variable, variable.getAlign());
    return;
  }
  const auto bytes = variable.getAllocationSize(variable.getDataLayout());
  if (bytes && !bytes->isZero())
    builder.CreateMemSet(&variable, builder.getInt8(0), bytes->getFixedValue(), variable.getAlign());
}

void zero(llvm::AllocaInst& variable) {
  bool marked = false;
  for (llvm::User* user : llvm::make_early_inc_range(variable.users())) {
    auto* marker = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    if (marker == nullptr || marker->getIntrinsicID() != llvm::Intrinsic::lifetime_start) continue;
    store_zeros(variable, *marker->getNextNode());
    marked = true;
  }
  if (!marked) store_zeros(variable, *variable.getParent()->getFirstNonPHIOrDbgOrAlloca());
}

bool zero_private_memory(llvm::Module& module) {
  llvm::SmallVector<llvm::AllocaInst*> variables;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
          variable != nullptr && has_bytes(*variable->getAllocatedType()))
        variables.push_back(variable);
  for (llvm::AllocaInst* variable : variables) zero(*variable);
  return !variables.empty();
}

}  // namespace

llvm::PreservedAnalyses ZeroPrivateMemoryPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  return keeping_blocks(zero_private_memory(module));
}

}  // namespace lanewise

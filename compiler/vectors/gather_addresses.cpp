// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectors/gather_addresses.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace lanewise {
namespace {

/// The operand with the lanes' addresses; null for other instructions.
llvm::Use* addresses_of(llvm::Instruction& i) {
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  if (call == nullptr) return nullptr;
  switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::masked_gather:
      return &call->getArgOperandUse(0);
    case llvm::Intrinsic::masked_scatter:
      return &call->getArgOperandUse(1);
    default:
      return nullptr;
  }
}

/// One base for all lanes and an index for each.
bool has_base(const llvm::GetElementPtrInst& address) {
  return address.getNumIndices() == 1 && !address.getPointerOperandType()->isVectorTy() &&
         address.getOperand(1)->getType()->isVectorTy();
}

bool sink_gather_addresses(llvm::Function& function) {
  bool changed = false;
  for (llvm::Instruction& i : llvm::instructions(function)) {
    llvm::Use* use = addresses_of(i);
    auto* address = use == nullptr ? nullptr : llvm::dyn_cast<llvm::GetElementPtrInst>(use->get());
    if (address == nullptr || address->getParent() == i.getParent() || !has_base(*address)) continue;
    llvm::Instruction* copy = address->clone();
    copy->insertBefore(i.getIterator());
    use->set(copy);
    changed = true;
    if (address->use_empty()) address->eraseFromParent();
  }
  return changed;
}

}  // namespace

llvm::PreservedAnalyses SinkGatherAddressesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  return keeping_blocks(change_functions(module, sink_gather_addresses));
}

}  // namespace lanewise

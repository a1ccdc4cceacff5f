// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectors/gather_addresses.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

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

/// Indices of bytes.
bool counts_bytes(const llvm::GetElementPtrInst& address) {
  return address.getSourceElementType()->isIntegerTy(8);
}

/// The constant distances of the lanes from one base, of which `address` adds a number to each; null: there are none,
/// or the sums may not fit into 32 bits.
llvm::GetElementPtrInst* lanes_of(llvm::GetElementPtrInst& address) {
  constexpr unsigned kSmall = 30;  // bits of each summand
  auto* lanes = llvm::dyn_cast<llvm::GetElementPtrInst>(address.getPointerOperand());
  if (lanes == nullptr || !has_base(*lanes) || address.getNumIndices() != 1) return nullptr;
  if (!counts_bytes(address) || !counts_bytes(*lanes)) return nullptr;
  const auto is_small = [&](const llvm::Value* index) {
    return index->getType()->isVectorTy() && index->getType()->getScalarSizeInBits() == 64 &&
           llvm::ComputeNumSignBits(index, address.getDataLayout()) > 64 - kSmall;
  };
  const bool fits = llvm::isa<llvm::Constant>(lanes->getOperand(1)) && is_small(lanes->getOperand(1)) &&
                    is_small(address.getOperand(1));
  return fits ? lanes : nullptr;
}

/// The same addresses from one base, before `i`.
llvm::Value* from_one_base(llvm::GetElementPtrInst& address, llvm::GetElementPtrInst& lanes, llvm::Instruction& i) {
  llvm::IRBuilder<> b(&i);
  auto* wide = address.getOperand(1)->getType();
  auto* narrow = llvm::cast<llvm::VectorType>(wide)->getWithNewBitWidth(32);
  llvm::Value* index = address.getOperand(1);
  auto* extended = llvm::dyn_cast<llvm::CastInst>(index);
  const bool was_narrow = extended != nullptr && extended->getOperand(0)->getType() == narrow;
  index = was_narrow ? extended->getOperand(0) : b.CreateTrunc(index, narrow);
  llvm::Value* sum = b.CreateNSWAdd(index, b.CreateTrunc(lanes.getOperand(1), narrow));
  return b.CreateGEP(b.getInt8Ty(), lanes.getPointerOperand(), b.CreateSExt(sum, wide), address.getName());
}

bool sink_gather_addresses(llvm::Function& function) {
  bool changed = false;
  for (llvm::Instruction& i : llvm::instructions(function)) {
    llvm::Use* use = addresses_of(i);
    auto* address = use == nullptr ? nullptr : llvm::dyn_cast<llvm::GetElementPtrInst>(use->get());
    if (address == nullptr) continue;
    if (llvm::GetElementPtrInst* lanes = lanes_of(*address); lanes != nullptr) {
      use->set(from_one_base(*address, *lanes, i));
    } else {
      if (address->getParent() == i.getParent() || !has_base(*address)) continue;
      llvm::Instruction* copy = address->clone();
      copy->insertBefore(i.getIterator());
      use->set(copy);
    }
    changed = true;
    llvm::RecursivelyDeleteTriviallyDeadInstructions(address);
  }
  return changed;
}

}  // namespace

llvm::PreservedAnalyses SinkGatherAddressesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  return keeping_blocks(change_functions(module, sink_gather_addresses));
}

}  // namespace lanewise

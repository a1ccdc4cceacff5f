// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/idle_atomics.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include <vector>

namespace lanewise {
namespace {

/// Whether the operation may leave the value as it is for many operands.
bool is_often_idle(llvm::AtomicRMWInst::BinOp operation) {
  using llvm::AtomicRMWInst;
  return operation == AtomicRMWInst::Max || operation == AtomicRMWInst::Min || operation == AtomicRMWInst::UMax ||
         operation == AtomicRMWInst::UMin || operation == AtomicRMWInst::And || operation == AtomicRMWInst::Or;
}

bool is_candidate(const llvm::AtomicRMWInst& atomic) {
  return is_often_idle(atomic.getOperation()) && atomic.use_empty() && !atomic.isVolatile() &&
         atomic.getOrdering() == llvm::AtomicOrdering::Monotonic;
}

void test_first(llvm::AtomicRMWInst& atomic) {
  llvm::IRBuilder<> b(&atomic);
  auto* seen = b.CreateAlignedLoad(atomic.getType(), atomic.getPointerOperand(), atomic.getAlign(), "seen");
  seen->setAtomic(llvm::AtomicOrdering::Monotonic, atomic.getSyncScopeID());
  llvm::Value* made = llvm::buildAtomicRMWValue(atomic.getOperation(), b, seen, atomic.getValOperand());
  llvm::Instruction* lock = llvm::SplitBlockAndInsertIfThen(b.CreateICmpNE(made, seen, "changes"), &atomic, false);
  atomic.moveBefore(lock->getIterator());
}

}  // namespace

bool skip_idle_atomics(llvm::Function& function) {
  std::vector<llvm::AtomicRMWInst*> found;
  for (llvm::Instruction& i : llvm::instructions(function))
    if (auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&i); atomic != nullptr && is_candidate(*atomic))
      found.push_back(atomic);
  for (llvm::AtomicRMWInst* atomic : found) test_first(*atomic);
  return !found.empty();
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/analysis/shared_branches.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "compiler/base/marks.h"

namespace lanewise::spmd {

using llvm::BasicBlock;
using llvm::Instruction;

bool is_masked_access(const Instruction& i) {
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  if (intrinsic == nullptr) return false;
  switch (intrinsic->getIntrinsicID()) {
    case llvm::Intrinsic::masked_load:
    case llvm::Intrinsic::masked_store:
    case llvm::Intrinsic::masked_gather:
    case llvm::Intrinsic::masked_scatter:
      return true;
    default:
      return false;
  }
}

namespace {

/// The block is the fast form of an operation, which is for vectors without inactive lanes.
bool is_fast_form(const BasicBlock& block) {
  const BasicBlock* before = block.getSinglePredecessor();
  if (before == nullptr) return false;
  const Instruction* branch = before->getTerminator();
  return branch->hasMetadata(marks::kForms) && branch->getSuccessor(0) == &block;
}

/// A lane that is not active accesses a variable of the function in place of its own address.
bool spares_inactive_lanes(const Instruction& i) {
  const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&i);
  if (pointer == nullptr || i.isAtomic() || i.isVolatile()) return false;
  for (const auto* field = llvm::dyn_cast<llvm::GEPOperator>(pointer);
       field != nullptr && field->hasAllConstantIndices(); field = llvm::dyn_cast<llvm::GEPOperator>(pointer))
    pointer = field->getPointerOperand();
  const auto* lane = llvm::dyn_cast<llvm::ExtractElementInst>(pointer);
  const auto* choice = lane == nullptr ? nullptr : llvm::dyn_cast<llvm::SelectInst>(lane->getVectorOperand());
  const llvm::Value* otherwise = choice == nullptr ? nullptr : llvm::getSplatValue(choice->getFalseValue());
  return otherwise != nullptr && llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(otherwise));
}

bool does_no_harm(const BasicBlock& block) {
  const bool fast = is_fast_form(block);
  return llvm::all_of(block, [&](const Instruction& i) {
    if (i.isTerminator()) return llvm::isa<llvm::BranchInst>(i);
    if (llvm::isa<llvm::PHINode>(i) || is_masked_access(i)) return true;
    if (fast && llvm::isa<llvm::LoadInst, llvm::StoreInst>(i)) return true;
    if (spares_inactive_lanes(i)) return true;
    return !i.mayReadOrWriteMemory() && llvm::isSafeToSpeculativelyExecute(&i);
  });
}

/// Whether all code between the branch and its second way may run for a vector without an active lane.
bool is_harmless(const llvm::Loop& loop, const Instruction& skip) {
  llvm::SmallPtrSet<const BasicBlock*, 8> seen{skip.getSuccessor(1)};
  llvm::SmallVector<const BasicBlock*> open{skip.getSuccessor(0)};
  while (!open.empty()) {
    const BasicBlock* block = open.pop_back_val();
    if (!seen.insert(block).second) continue;
    if (!loop.contains(block) || block == loop.getHeader() || !does_no_harm(*block)) return false;
    llvm::append_range(open, llvm::successors(block));
  }
  return true;
}

}  // namespace

SharedBranches::SharedBranches(const llvm::Loop& loop) {
  for (const BasicBlock* block : loop.blocks()) {
    const Instruction* branch = block->getTerminator();
    if (branch->hasMetadata(marks::kForms))
      branches_[branch] = BranchSharing::all;
    else if ((branch->hasMetadata(marks::kSkips) || branch->hasMetadata(marks::kStays)) && is_harmless(loop, *branch))
      branches_[branch] = BranchSharing::some;
  }
  find_seldom(loop);
}

void SharedBranches::find_seldom(const llvm::Loop& loop) {
  llvm::SmallPtrSet<const BasicBlock*, 32> usual{loop.getHeader()};
  llvm::SmallVector<const BasicBlock*> open{loop.getHeader()};
  while (!open.empty()) {
    const Instruction* end = open.pop_back_val()->getTerminator();
    const unsigned ways =
        of(*end) == BranchSharing::all || end->hasMetadata(marks::kGuess) ? 1 : end->getNumSuccessors();
    for (unsigned w = 0; w < ways; ++w)
      if (usual.insert(end->getSuccessor(w)).second) open.push_back(end->getSuccessor(w));
  }
  for (const BasicBlock* block : loop.blocks())
    if (!usual.contains(block)) seldom_.insert(block);
}

}  // namespace lanewise::spmd

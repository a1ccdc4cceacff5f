// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/unchanged_values.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/base/transformations.h"

namespace lanewise {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::PHINode;
using llvm::StoreInst;
using llvm::Value;

constexpr unsigned kDeepestValue = 12;

/// Whether it is computed without memory from ids, which are phis of `item`, and from what comes from before it.
bool is_of_ids(const Value* v, const BasicBlock& item, llvm::ArrayRef<BasicBlock*> body, unsigned depth = 0) {
  const auto* i = llvm::dyn_cast<Instruction>(v);
  if (i == nullptr || (i->getParent() != &item && !llvm::is_contained(body, i->getParent()))) return true;
  if (llvm::isa<PHINode>(i)) return i->getParent() == &item;
  if (depth > kDeepestValue || i->mayReadOrWriteMemory() || !i->getType()->isIntegerTy()) return false;
  return llvm::all_of(i->operands(), [&](const Value* o) { return is_of_ids(o, item, body, depth + 1); });
}

bool is_same_place(const Value* a, const Value* b) {
  const auto* first = llvm::dyn_cast<llvm::GetElementPtrInst>(a);
  const auto* second = llvm::dyn_cast<llvm::GetElementPtrInst>(b);
  return first != nullptr && second != nullptr && first->isIdenticalTo(second);
}

/// What the work-items do that take one side of a branch.
class IdleWay {
 public:
  IdleWay(BasicBlock& branch, BasicBlock& first, const BasicBlock& end) : from_(&branch) {
    BasicBlock* block = &first;
    for (unsigned steps = 0; steps < kDeepestValue && block != nullptr; ++steps) {
      if (!add(*block)) return;
      if (block == &end) {
        is_idle_ = true;
        return;
      }
      if (meeting_ == nullptr) from_ = block;
      block = block->getSingleSuccessor();
    }
  }

  /// Nothing, but that they store again what they have loaded.
  [[nodiscard]] bool is_idle() const { return is_idle_; }
  [[nodiscard]] bool stores() const { return meeting_ != nullptr; }

  /// Stores the values of all others where they come from.
  void leave_values() {
    llvm::SmallVector<BasicBlock*> others(llvm::predecessors(meeting_));
    llvm::erase(others, from_);
    if (others.empty()) return;
    BasicBlock* changed = llvm::SplitBlockPredecessors(meeting_, others, ".changed");
    for (StoreInst* store : stores_) {
      auto* phi = llvm::cast<PHINode>(store->getValueOperand());
      // All come from after the load, which has the same place.
      auto* loaded = llvm::cast<llvm::LoadInst>(phi->getIncomingValueForBlock(from_));
      Value* place = store->getPointerOperand();
      store->setOperand(0, phi->getIncomingValueForBlock(changed));
      store->setOperand(1, loaded->getPointerOperand());
      store->moveBefore(changed->getTerminator()->getIterator());
      llvm::RecursivelyDeleteTriviallyDeadInstructions(place);
    }
    for (PHINode& phi : llvm::make_early_inc_range(meeting_->phis()))
      if (phi.use_empty()) phi.eraseFromParent();
  }

 private:
  bool add(BasicBlock& block) {
    if (!block.phis().empty()) {
      if (meeting_ != nullptr) return false;
      meeting_ = &block;
    }
    return llvm::all_of(block, [&](Instruction& i) {
      if (auto* store = llvm::dyn_cast<StoreInst>(&i)) return add(*store);
      if (auto* phi = llvm::dyn_cast<PHINode>(&i))
        return llvm::all_of(phi->users(), [](const llvm::User* u) { return llvm::isa<StoreInst>(u); });
      return i.isTerminator() || (!i.mayHaveSideEffects() && !i.mayReadFromMemory());
    });
  }

  bool add(StoreInst& store) {
    const auto* phi = llvm::dyn_cast<PHINode>(store.getValueOperand());
    if (store.isVolatile() || store.isAtomic() || phi == nullptr || phi->getParent() != meeting_) return false;
    const auto* loaded = llvm::dyn_cast<llvm::LoadInst>(phi->getIncomingValueForBlock(from_));
    if (loaded == nullptr || !is_same_place(loaded->getPointerOperand(), store.getPointerOperand())) return false;
    stores_.push_back(&store);
    return true;
  }

  BasicBlock* from_;               ///< the block from which they come to `meeting_`
  BasicBlock* meeting_ = nullptr;  ///< where others have values of their own
  llvm::SmallVector<StoreInst*> stores_;
  bool is_idle_ = false;
};

}  // namespace

void leave_unchanged_values(BasicBlock& item, BasicBlock& end, llvm::ArrayRef<BasicBlock*> body) {
  BasicBlock* block = &item;
  for (unsigned steps = 0; steps < kDeepestValue && block != &end; ++steps) {
    if (llvm::any_of(*block, [](const Instruction& i) { return !i.isTerminator() && i.mayHaveSideEffects(); })) return;
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (branch == nullptr) return;
    if (branch->isUnconditional()) {
      block = branch->getSuccessor(0);
      continue;
    }
    if (branch->getSuccessor(0) == branch->getSuccessor(1) || !is_of_ids(branch->getCondition(), item, body)) return;
    IdleWay ways[] = {{*block, *branch->getSuccessor(0), end}, {*block, *branch->getSuccessor(1), end}};
    if (ways[0].is_idle() == ways[1].is_idle()) return;
    const unsigned idle = ways[0].is_idle() ? 0 : 1;
    if (ways[idle].stores()) {
      tally(Transformation::leave_unchanged_values);
      ways[idle].leave_values();
    }
    block = branch->getSuccessor(1 - idle);
  }
}

}  // namespace lanewise

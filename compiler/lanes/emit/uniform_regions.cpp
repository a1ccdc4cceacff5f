// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/uniform_regions.h"

#include <llvm/IR/Instructions.h>

#include "compiler/base/transformations.h"
#include "compiler/lanes/emit/skipping.h"

namespace lanewise::spmd {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::Value;

void UniformRegions::emit_ways_out(const Node& node, Value* mask) {
  if (s_.shapes.divergence().uniform_join(node) != nullptr)
    emit_region(node, mask);
  else
    masks_.set_edges(*node.block, mask);
}

/// What is between a linear block whose lanes all take the same branch and where its ways meet. Where no lane is active
/// all of it is skipped, if it does enough work. Ends after it, before the join itself.
void UniformRegions::emit_region(const Node& head, Value* mask) {
  tally(Transformation::keep_uniform_branches);
  const Node& join = *s_.shapes.divergence().uniform_join(head);
  const auto members = region_members(head);
  const bool guarded = !masks_.never_empty(mask) &&
                       llvm::any_of(members, [&](const Node* m) { return is_worth_skipping(s_, *m->block); });
  BasicBlock* skipped = b_.GetInsertBlock();
  BasicBlock* after = nullptr;
  if (guarded) {
    BasicBlock* run = s_.new_block(head.block->getName() + ".some");
    after = s_.new_block(head.block->getName() + ".none");
    b_.CreateCondBr(masks_.any(mask), run, after);
    b_.SetInsertPoint(run);
  }
  BasicBlock* behind = s_.new_block(head.block->getName() + ".together");
  {
    const Masks::Scope scope = masks_.enter_guarded(guarded ? mask : nullptr);
    emit_members(head, members, *behind, mask);
  }
  llvm::SmallVector<const BasicBlock*> from;
  for (const Node* p : join.predecessors)
    if (p == &head || llvm::is_contained(members, p)) {
      from.push_back(p->block);
      masks_.set_edge(p->block, join.block, mask);
    }
  b_.SetInsertPoint(behind);
  phis_.meet(join, from);
  if (!guarded) return;
  b_.CreateBr(after);
  b_.SetInsertPoint(after);
  phis_.after_meeting(join, *from.front(), skipped, behind);
}

/// The branch of `head` and all members, up to `behind`.
void UniformRegions::emit_members(const Node& head, llvm::ArrayRef<const Node*> members, BasicBlock& behind,
                                  Value* mask) {
  const Node& join = *s_.shapes.divergence().uniform_join(head);
  const bool some_lane = masks_.never_empty(mask);
  emit_branch(head, join, behind, some_lane);
  for (const Node* m : members) {
    b_.SetInsertPoint(entry_of(m->block));
    phis_.at_join(*m);
    masks_.set(*m, mask);
    instructions_.emit(*m->block, mask);
    emit_branch(*m, join, behind, some_lane);
  }
}

/// The branch that all active lanes of a block take alike. Where there may be none, its condition may be anything.
void UniformRegions::emit_branch(const Node& node, const Node& join, BasicBlock& behind, bool some_lane) {
  ends_[node.block] = b_.GetInsertBlock();
  const auto* branch = llvm::cast<BranchInst>(node.block->getTerminator());
  const auto way = [&](unsigned k) {
    const BasicBlock* to = branch->getSuccessor(k);
    return to == join.block ? &behind : entry_of(to);
  };
  if (branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) {
    b_.CreateBr(way(0));
    return;
  }
  Value* condition = s_.base(branch->getCondition());
  if (!some_lane) condition = b_.CreateFreeze(condition);
  BasicBlock* yes = way(0);
  b_.CreateCondBr(condition, yes, way(1));
}

BasicBlock* UniformRegions::entry_of(const BasicBlock* block) {
  BasicBlock*& entry = entries_[block];
  if (entry == nullptr) entry = s_.new_block(block->getName() + ".vector");
  return entry;
}

}  // namespace lanewise::spmd

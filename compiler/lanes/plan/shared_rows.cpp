// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/plan/shared_rows.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

#include "compiler/lanes/analysis/vector_loop.h"
#include "compiler/lanes/plan/blocking.h"
#include "compiler/lanes/plan/costs.h"

namespace lanewise::spmd {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;

double cost_of(const Instruction& i) {
  if (llvm::isa<llvm::PHINode, llvm::CastInst, llvm::GetElementPtrInst>(i) || i.isTerminator()) return 0;
  if (i.mayReadOrWriteMemory() || (llvm::isa<llvm::CallBase>(i) && !llvm::isa<llvm::IntrinsicInst>(i))) return 0;
  return divides(i) ? costs::shared_division : 1;
}

/// A branch that keeps rows apart: it differs between them, and neither ends a row nor becomes a mask because it
/// differs between lanes, too.
bool parts_rows(const VectorLoop& items, const LoopFacts& facts, const BasicBlock& block) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (branch == nullptr || branch->isUnconditional() || &block == items.loop->getLoopLatch()) return false;
  if (llvm::any_of(facts.guards.passed, [&](const Guard& guard) { return guard.block == &block; })) return false;
  const Depends depends = items.of(*branch->getCondition());
  const Level& level = *facts.body->level(&block);
  const bool leaves = level.parent != nullptr && facts.body->node(&block)->exits;
  return leaves ? depends != on_nothing : depends == on_row;
}

/// Without what is the same in all iterations of the inner loop, which is done once in any case.
double shared_work(const VectorLoop& items, const llvm::Loop& inner) {
  llvm::SmallPtrSet<const llvm::Value*, 32> changing;
  double work = 0;
  for (const BasicBlock* block : inner.blocks())
    for (const Instruction& i : *block) {
      const bool changes = llvm::isa<llvm::PHINode>(i) || i.mayReadOrWriteMemory() ||
                           llvm::any_of(i.operands(), [&](const llvm::Use& use) { return changing.contains(use); });
      if (!changes) continue;
      changing.insert(&i);
      if (items.of(i) == on_column) work += cost_of(i);
    }
  return work;
}

}  // namespace

bool shares_rows(const LoopFacts& facts) {
  VectorLoop items;
  if (facts.items.loop->isInnermost() || !items.read_items(*facts.items.loop, true) || !items.uses_rows()) return false;
  if (llvm::any_of(items.loop->blocks(), [&](const BasicBlock* block) { return parts_rows(items, facts, *block); }))
    return false;
  return llvm::any_of(items.loop->getLoopsInPreorder(), [&](const llvm::Loop* loop) {
    return loop != items.loop && loop->isInnermost() && shared_work(items, *loop) >= costs::shared_work;
  });
}

}  // namespace lanewise::spmd

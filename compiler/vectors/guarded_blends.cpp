// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectors/guarded_blends.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

#include "compiler/base/context.h"

namespace lanewise::spmd {
namespace {

using llvm::BasicBlock;
using llvm::Value;
using namespace llvm::PatternMatch;

/// A branch over code that is skipped if a mask has no lane.
struct GuardedBlock {
  Value* mask;
  BasicBlock* head;  ///< ends in the branch
  BasicBlock* end;   ///< of the code
  BasicBlock* after;
};

std::optional<GuardedBlock> guard_of(BasicBlock& head, const llvm::DominatorTree& tree) {
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(head.getTerminator());
  Value* mask = nullptr;
  llvm::CmpPredicate predicate;
  if (branch == nullptr || !branch->isConditional() ||
      !match(branch->getCondition(), m_ICmp(predicate, m_BitCast(m_Value(mask)), m_Zero())) ||
      !llvm::ICmpInst::isEquality(predicate) || !mask->getType()->isIntOrIntVectorTy(1))
    return std::nullopt;
  const bool none_first = predicate == llvm::ICmpInst::ICMP_EQ;
  BasicBlock* after = branch->getSuccessor(none_first ? 0 : 1);
  BasicBlock* begin = branch->getSuccessor(none_first ? 1 : 0);
  if (after == begin || begin->getSinglePredecessor() != &head || !after->hasNPredecessors(2)) return std::nullopt;
  for (BasicBlock* end : llvm::predecessors(after))
    if (end != &head && end->getSingleSuccessor() == after && tree.dominates(begin, end))
      return GuardedBlock{.mask = mask, .head = &head, .end = end, .after = after};
  return std::nullopt;
}

/// The value that `v`, used in `guard.after`, has at the end of its predecessor `from`; null if it is computed in
/// between.
Value* value_from(Value* v, BasicBlock* from, const GuardedBlock& guard) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(v);
  if (instruction == nullptr || instruction->getParent() != guard.after) return v;
  auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction);
  return phi == nullptr ? nullptr : phi->getIncomingValueForBlock(from);
}

bool move_blend(llvm::SelectInst& blend, const GuardedBlock& guard) {
  const bool active = blend.getCondition() == guard.mask;
  if (!active && !match(blend.getCondition(), m_Not(m_Specific(guard.mask)))) return false;
  Value* skipped = value_from(active ? blend.getFalseValue() : blend.getTrueValue(), guard.head, guard);
  Value* yes = value_from(blend.getTrueValue(), guard.end, guard);
  Value* no = value_from(blend.getFalseValue(), guard.end, guard);
  Value* mask = value_from(blend.getCondition(), guard.end, guard);
  if (skipped == nullptr || yes == nullptr || no == nullptr || mask == nullptr) return false;
  llvm::IRBuilder<> b(guard.end->getTerminator());
  Value* chosen = b.CreateSelect(mask, yes, no);
  b.SetInsertPoint(guard.after, guard.after->begin());
  llvm::PHINode* phi = b.CreatePHI(blend.getType(), 2);
  phi->addIncoming(skipped, guard.head);
  phi->addIncoming(chosen, guard.end);
  phi->takeName(&blend);
  blend.replaceAllUsesWith(phi);
  blend.eraseFromParent();
  return true;
}

bool blend_where_guarded(llvm::Function& function, const llvm::DominatorTree& tree) {
  bool changed = false;
  for (BasicBlock& block : function) {
    const std::optional<GuardedBlock> guard = guard_of(block, tree);
    if (!guard) continue;
    // In their order: the operand of a later one may be an earlier one, which is a phi by then.
    for (llvm::Instruction& i : llvm::make_early_inc_range(*guard->after))
      if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&i);
          select != nullptr && i.getType()->isVectorTy() && !i.getType()->isIntOrIntVectorTy(1))
        changed |= move_blend(*select, *guard);
  }
  return changed;
}

}  // namespace

llvm::PreservedAnalyses BlendWhereGuardedPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  llvm::FunctionAnalysisManager& functions = function_analyses(module, analyses);
  bool changed = false;
  for (llvm::Function* function : lowered_kernels(module, context_of(module, analyses)))
    changed |= blend_where_guarded(*function, functions.getResult<llvm::DominatorTreeAnalysis>(*function));
  return keeping_blocks(changed);
}

}  // namespace lanewise::spmd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectors/pending_atomics.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include "compiler/base/address_spaces.h"
#include "compiler/base/context.h"
#include "compiler/lanes/analysis/vector_loop.h"
#include "compiler/lanes/emit/combinations.h"

namespace lanewise::spmd {
namespace {

using llvm::AtomicRMWInst;
using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

/// An operation that others of the same kind may pass.
bool is_plain(const AtomicRMWInst& atomic) {
  return atomic.use_empty() && !atomic.isVolatile() && atomic.getOrdering() == llvm::AtomicOrdering::Monotonic;
}

bool same_kind(const Instruction& i, const AtomicRMWInst& atomic) {
  const auto* other = llvm::dyn_cast<AtomicRMWInst>(&i);
  return other != nullptr && is_plain(*other) && other->getOperation() == atomic.getOperation() &&
         other->getType() == atomic.getType();
}

/// An access that another thread's operations could be waited for with, or that gives others an order.
bool synchronises(const Instruction& i) {
  if (i.isAtomic() || i.isVolatile()) return true;
  return llvm::isa<llvm::CallBase>(i) && i.mayReadOrWriteMemory() && !llvm::isa<llvm::IntrinsicInst>(i);
}

/// Whether what comes after the operation in an iteration accesses memory.
bool is_followed(const AtomicRMWInst& atomic, const llvm::Loop& loop) {
  const auto sees = [&](const Instruction& i) { return i.mayReadOrWriteMemory() && !same_kind(i, atomic); };
  for (const Instruction* i = atomic.getNextNode(); i != nullptr; i = i->getNextNode())
    if (sees(*i)) return true;
  llvm::SmallVector<const BasicBlock*> next(llvm::successors(atomic.getParent()));
  llvm::SmallPtrSet<const BasicBlock*, 16> seen;
  while (!next.empty()) {
    const BasicBlock* block = next.pop_back_val();
    if (block == loop.getHeader() || !loop.contains(block) || !seen.insert(block).second) continue;
    if (llvm::any_of(*block, sees)) return true;
    llvm::append_range(next, llvm::successors(block));
  }
  return false;
}

bool may_wait(const AtomicRMWInst& atomic, const llvm::Loop& loop) {
  // In memory of this thread's own, for which it needs no lock, LLVM does better.
  if (atomic.getSyncScopeID() == llvm::SyncScope::SingleThread || atomic.getPointerAddressSpace() != global_space)
    return false;
  if (!is_plain(atomic) || neutral_of(atomic) == nullptr || !in_any_order(atomic)) return false;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& i : *block)
      if (synchronises(i) && !same_kind(i, atomic)) return false;
  return !is_followed(atomic, loop);
}

/// The vector whose lanes an operand combines; the operand itself if it is something else.
Value* combined_vector(AtomicRMWInst& atomic) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(atomic.getValOperand());
  if (call == nullptr || !call->hasOneUse() || !call->getCalledFunction()->getName().starts_with("llvm.vector.reduce."))
    return atomic.getValOperand();
  return call->getArgOperand(call->arg_size() - 1);
}

class PendingAtomic {
 public:
  /// @param loop  in which it is, with a preheader and one exit, from its latch
  PendingAtomic(AtomicRMWInst& atomic, const llvm::Loop& loop)
      : atomic_(atomic),
        before_(loop.getLoopPreheader()),
        header_(loop.getHeader()),
        latch_(loop.getLoopLatch()),
        fixed_(loop.isLoopInvariant(atomic.getPointerOperand())),
        values_(combined_vector(atomic)) {}

  void emit() {
    llvm::Type* address = atomic_.getPointerOperand()->getType();
    llvm::Constant* nowhere = llvm::Constant::getNullValue(address);
    llvm::Constant* nothing = neutral_of(atomic_);
    if (auto* vector = llvm::dyn_cast<llvm::VectorType>(values_->getType()))
      nothing = llvm::ConstantVector::getSplat(vector->getElementCount(), nothing);
    llvm::PHINode* at = carried(address, nowhere, "pending.at");
    llvm::PHINode* sum = carried(values_->getType(), nothing, "pending");
    Value* kept = fixed_ ? sum : keep(at, sum, nothing);
    IRBuilder<> b(&atomic_);
    Value* next = combine(b, combination_of(atomic_.getOperation()), kept, values_);
    Value* last_at = carry(*at, *atomic_.getPointerOperand());
    Value* last_sum = carry(*sum, *next);
    BasicBlock* done = llvm::SplitEdge(latch_, exit());
    b.SetInsertPoint(done->getTerminator());
    perform(
        llvm::SplitBlockAndInsertIfThen(b.CreateICmpNE(last_at, nowhere), done->getTerminator()->getIterator(), false),
        last_at, last_sum);
    finish();
  }

 private:
  llvm::PHINode* carried(llvm::Type* type, Value* first, const char* name) {
    auto* phi = llvm::PHINode::Create(type, 2, name, header_->begin());
    phi->addIncoming(first, before_);
    return phi;
  }

  /// What has been collected for the address; what has been for another one is done.
  Value* keep(Value* at, Value* sum, llvm::Constant* nothing) {
    IRBuilder<> b(&atomic_);
    Value* other = b.CreateICmpNE(at, atomic_.getPointerOperand());
    Value* leaves = b.CreateAnd(other, b.CreateIsNotNull(at));
    perform(llvm::SplitBlockAndInsertIfThen(leaves, atomic_.getIterator(), false), at, sum);
    return IRBuilder<>(&atomic_).CreateSelect(other, nothing, sum);
  }

  /// Gives a phi of the header its value for the next iteration.
  Value* carry(llvm::PHINode& phi, Value& changed) {
    llvm::SSAUpdater values;
    values.Initialize(phi.getType(), phi.getName());
    values.AddAvailableValue(header_, &phi);
    values.AddAvailableValue(atomic_.getParent(), &changed);
    Value* last = values.GetValueAtEndOfBlock(latch_);
    phi.addIncoming(last, latch_);
    return last;
  }

  [[nodiscard]] BasicBlock* exit() const {
    const Instruction& branch = *latch_->getTerminator();
    return branch.getSuccessor(branch.getSuccessor(0) == header_ ? 1 : 0);
  }

  /// The operation, with what has been collected for an address.
  void perform(Instruction* place, Value* at, Value* values) {
    IRBuilder<> b(place);
    Instruction* once = atomic_.clone();
    once->setOperand(0, at);
    once->setOperand(1, values->getType()->isVectorTy() ? reduce(b, atomic_.getOperation(), values) : values);
    b.Insert(once);
  }

  void finish() {
    auto* operand = llvm::dyn_cast<Instruction>(atomic_.getValOperand());
    atomic_.eraseFromParent();
    if (operand != nullptr && operand->use_empty()) operand->eraseFromParent();
  }

  AtomicRMWInst& atomic_;
  BasicBlock* before_;
  BasicBlock* header_;
  BasicBlock* latch_;
  bool fixed_;  ///< the address
  Value* values_;
};

bool collect_atomics(llvm::Function& function) {
  const auto is_atomic = [](const Instruction& i) { return llvm::isa<AtomicRMWInst>(i); };
  if (llvm::none_of(llvm::instructions(function), is_atomic)) return false;
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  llvm::SmallVector<PendingAtomic> found;
  for (BasicBlock& block : function) {
    const llvm::Loop* loop = loops.getLoopFor(&block);
    if (loop == nullptr || vector_width(*loop) == 0 || loop->getLoopPreheader() == nullptr) continue;
    const BasicBlock* latch = loop->getLoopLatch();
    if (latch == nullptr || loop->getExitingBlock() != latch || loop->getUniqueExitBlock() == nullptr) continue;
    for (Instruction& i : block)
      if (auto* atomic = llvm::dyn_cast<AtomicRMWInst>(&i); atomic != nullptr && may_wait(*atomic, *loop))
        found.emplace_back(*atomic, *loop);
  }
  for (PendingAtomic& pending : found) pending.emit();
  return !found.empty();
}

}  // namespace

llvm::PreservedAnalyses CollectAtomicsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  bool changed = false;
  for (llvm::Function* function : lowered_kernels(module, context_of(module, analyses)))
    changed |= collect_atomics(*function);
  return unless_changed(changed);
}

}  // namespace lanewise::spmd

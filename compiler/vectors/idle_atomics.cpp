// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectors/idle_atomics.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include <vector>

#include "compiler/base/address_spaces.h"

namespace lanewise {
namespace {

using llvm::AtomicCmpXchgInst;
using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

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

/// What is there now, where `atomic` would change it.
template <class Atomic>
Value* look_at_place(llvm::IRBuilder<>& b, const Atomic& atomic, llvm::Type* type) {
  auto* seen = b.CreateAlignedLoad(type, const_cast<Value*>(atomic.getPointerOperand()), atomic.getAlign(), "seen");
  seen->setAtomic(llvm::AtomicOrdering::Monotonic, atomic.getSyncScopeID());
  return seen;
}

void test_first(llvm::AtomicRMWInst& atomic) {
  llvm::IRBuilder<> b(&atomic);
  Value* seen = look_at_place(b, atomic, atomic.getType());
  Value* made = llvm::buildAtomicRMWValue(atomic.getOperation(), b, seen, atomic.getValOperand());
  Instruction* lock = llvm::SplitBlockAndInsertIfThen(b.CreateICmpNE(made, seen, "changes"), &atomic, false);
  atomic.moveBefore(lock->getIterator());
}

/// Whether `value` is computed from `source`, in operations without memory, and not too many of them.
bool is_made_from(Value* value, Value* source) {
  constexpr unsigned kMost = 100;
  llvm::SmallPtrSet<Value*, 16> seen;
  llvm::SmallVector<Value*> work{value};
  while (!work.empty() && seen.size() < kMost) {
    Value* v = work.pop_back_val();
    if (v == source) return true;
    auto* i = llvm::dyn_cast<Instruction>(v);
    if (i == nullptr || i->mayReadOrWriteMemory() || llvm::isa<llvm::PHINode>(i) || !seen.insert(i).second) continue;
    llvm::append_range(work, i->operands());
  }
  return false;
}

/// What holds the bits: a value as an integer, or one element of a vector, is still what was read.
Value* holder_of(Value* v) {
  while (llvm::isa<llvm::BitCastInst, llvm::ExtractElementInst>(v)) v = llvm::cast<Instruction>(v)->getOperand(0);
  return v;
}

/// An exchange of a value for one that was computed from it, which may come out as the same. Its parts are used one by
/// one.
bool is_candidate(const AtomicCmpXchgInst& exchange) {
  if (exchange.isVolatile() || exchange.getPointerOperand()->getType()->getPointerAddressSpace() == local_space ||
      exchange.getSuccessOrdering() != llvm::AtomicOrdering::Monotonic ||
      exchange.getFailureOrdering() != llvm::AtomicOrdering::Monotonic)
    return false;
  Value* expected = exchange.getOperand(1);
  Value* made = exchange.getOperand(2);
  if (llvm::isa<llvm::Constant>(expected) || !expected->getType()->isIntegerTy()) return false;
  const llvm::SimplifyQuery query(exchange.getDataLayout());
  return is_made_from(made, holder_of(expected)) && !llvm::isKnownNonEqual(expected, made, query) &&
         llvm::all_of(exchange.users(), [](const llvm::User* user) { return llvm::isa<llvm::ExtractValueInst>(user); });
}

void test_first(AtomicCmpXchgInst& exchange) {
  Value* expected = exchange.getOperand(1);
  llvm::IRBuilder<> b(&exchange);
  Value* changes = b.CreateICmpNE(exchange.getOperand(2), expected, "changes");
  Instruction* lock = nullptr;
  Instruction* look = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(changes, &exchange, &lock, &look);
  BasicBlock* done = exchange.getParent();

  b.SetInsertPoint(look);
  Value* seen = look_at_place(b, exchange, expected->getType());
  Value* is_there = b.CreateICmpEQ(seen, expected, "is.there");
  exchange.moveBefore(lock->getIterator());
  b.SetInsertPoint(lock);
  Value* found = b.CreateExtractValue(&exchange, 0);
  Value* success = b.CreateExtractValue(&exchange, 1);

  b.SetInsertPoint(done, done->begin());
  const auto either = [&](Value* locked, Value* looked) {
    llvm::PHINode* phi = b.CreatePHI(locked->getType(), 2);
    phi->addIncoming(locked, lock->getParent());
    phi->addIncoming(looked, look->getParent());
    return phi;
  };
  Value* parts[] = {either(found, seen), either(success, is_there)};
  for (llvm::User* user : llvm::make_early_inc_range(exchange.users())) {
    auto* part = llvm::cast<llvm::ExtractValueInst>(user);
    if (part == found || part == success) continue;
    part->replaceAllUsesWith(parts[part->getIndices()[0]]);
    part->eraseFromParent();
  }
}

bool skip_idle_atomics(llvm::Function& function) {
  std::vector<llvm::AtomicRMWInst*> operations;
  std::vector<AtomicCmpXchgInst*> exchanges;
  for (Instruction& i : llvm::instructions(function)) {
    if (auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&i); atomic != nullptr && is_candidate(*atomic))
      operations.push_back(atomic);
    if (auto* exchange = llvm::dyn_cast<AtomicCmpXchgInst>(&i); exchange != nullptr && is_candidate(*exchange))
      exchanges.push_back(exchange);
  }
  for (llvm::AtomicRMWInst* atomic : operations) test_first(*atomic);
  for (AtomicCmpXchgInst* exchange : exchanges) test_first(*exchange);
  return !operations.empty() || !exchanges.empty();
}

}  // namespace

llvm::PreservedAnalyses SkipIdleAtomicsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  return unless_changed(change_functions(module, skip_idle_atomics));
}

}  // namespace lanewise

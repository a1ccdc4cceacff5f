// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/prepare/counters.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/KnownBits.h>
#include <llvm/Transforms/Utils/Local.h>

namespace lanewise::spmd {
namespace {

using llvm::BasicBlock;
using llvm::BinaryOperator;
using llvm::ConstantInt;
using llvm::Instruction;
using llvm::Value;

constexpr unsigned kNarrow = 32;
/// Operations between a counter and the instruction that takes the low half of the result.
constexpr unsigned kMostBetween = 2;

/// The constant of `x & constant`.
const llvm::APInt* mask_of(const Value& v) {
  const auto* i = llvm::dyn_cast<BinaryOperator>(&v);
  const auto* mask =
      i != nullptr && i->getOpcode() == Instruction::And ? llvm::dyn_cast<ConstantInt>(i->getOperand(1)) : nullptr;
  return mask == nullptr ? nullptr : &mask->getValue();
}

/// Whether only the low half of its operand matters for the instruction.
bool takes_low_half(const Instruction& i) {
  if (llvm::isa<llvm::TruncInst>(i)) return i.getType()->getScalarSizeInBits() <= kNarrow;
  const llvm::APInt* mask = mask_of(i);
  return mask != nullptr && mask->getActiveBits() <= kNarrow;
}

bool keeps_halves_apart(const Instruction& i) {
  switch (i.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Or:
    case Instruction::Xor:
      return true;
    default:
      return false;
  }
}

/// Collects the instructions that take the low half of `v`, or of what is computed from it; false if anything else
/// uses `v`.
bool find_takers(Value& v, llvm::SmallVectorImpl<llvm::WeakTrackingVH>& takers, unsigned depth = 0) {
  return llvm::all_of(v.users(), [&](llvm::User* user) {
    auto* i = llvm::cast<Instruction>(user);
    if (takes_low_half(*i)) {
      takers.emplace_back(i);
      return true;
    }
    return depth < kMostBetween && keeps_halves_apart(*i) && find_takers(*i, takers, depth + 1);
  });
}

/// The low half of `v`: for sums the sum of the low halves, so that an extension in a cycle of them disappears.
Value* low_half(llvm::IRBuilder<>& b, Value* v, llvm::Type* narrow) {
  if (auto* extension = llvm::dyn_cast<llvm::CastInst>(v);
      extension != nullptr && llvm::isa<llvm::ZExtInst, llvm::SExtInst>(extension) && extension->getSrcTy() == narrow)
    return extension->getOperand(0);
  auto* operation = llvm::dyn_cast<BinaryOperator>(v);
  if (operation == nullptr || !keeps_halves_apart(*operation)) return b.CreateTrunc(v, narrow);
  b.SetInsertPoint(operation);
  Value* left = low_half(b, operation->getOperand(0), narrow);
  b.SetInsertPoint(operation);
  Value* right = low_half(b, operation->getOperand(1), narrow);
  b.SetInsertPoint(operation);
  return b.CreateBinOp(operation->getOpcode(), left, right);
}

/// Computes what the takers want in 32 bits. The counter has no other uses than truncations to them afterwards.
void take_low_halves(llvm::IRBuilder<>& b, llvm::ArrayRef<llvm::WeakTrackingVH> takers, llvm::Type* narrow) {
  for (const llvm::WeakTrackingVH& handle : takers) {
    auto* taker = llvm::cast_or_null<Instruction>(static_cast<Value*>(handle));
    if (taker == nullptr) continue;
    Value* from = taker->getOperand(0);
    b.SetInsertPoint(taker);
    Value* low = low_half(b, from, narrow);
    b.SetInsertPoint(taker);
    const llvm::APInt* mask = mask_of(*taker);
    if (mask != nullptr && !mask->isMask(kNarrow)) low = b.CreateAnd(low, mask->trunc(kNarrow));
    taker->replaceAllUsesWith(b.CreateZExtOrTrunc(low, taker->getType()));
    taker->eraseFromParent();
    llvm::RecursivelyDeleteTriviallyDeadInstructions(from);
  }
}

bool has_only_truncations(const llvm::PHINode& phi, llvm::Type* narrow) {
  return !phi.use_empty() && llvm::all_of(phi.users(), [&](const llvm::User* user) {
    return llvm::isa<llvm::TruncInst>(user) && user->getType() == narrow;
  });
}

llvm::PHINode* narrowed(llvm::IRBuilder<>& b, llvm::PHINode& phi, const llvm::Loop& loop, llvm::Type* narrow) {
  b.SetInsertPoint(&phi);
  llvm::PHINode* low = b.CreatePHI(narrow, phi.getNumIncomingValues(), phi.getName());
  for (llvm::User* user : llvm::make_early_inc_range(phi.users())) {
    user->replaceAllUsesWith(low);
    llvm::cast<Instruction>(user)->eraseFromParent();
  }
  for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
    BasicBlock* from = phi.getIncomingBlock(k);
    Value* v = phi.getIncomingValue(k);
    b.SetInsertPoint(from->getTerminator());
    low->addIncoming(loop.contains(from) ? low_half(b, v, narrow) : b.CreateTrunc(v, narrow), from);
  }
  phi.eraseFromParent();
  return low;
}

/// Where `(counter & ~(2^bits - 1)) == 0` holds. `within` is null if the loop's header does not ask that.
struct Bound {
  const BasicBlock* within = nullptr;
  unsigned bits = 0;
};

Bound bound_of(const llvm::PHINode& counter) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(counter.getParent()->getTerminator());
  const auto* test =
      branch != nullptr && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  if (test == nullptr || !test->isEquality()) return {};
  const auto* zero = llvm::dyn_cast<ConstantInt>(test->getOperand(1));
  const Value* tested = test->getOperand(0);
  if (const auto* extension = llvm::dyn_cast<llvm::ZExtInst>(tested)) tested = extension->getOperand(0);
  const llvm::APInt* mask = mask_of(*tested);
  if (zero == nullptr || !zero->isZero() || mask == nullptr || !(~*mask).isMask() ||
      llvm::cast<Instruction>(tested)->getOperand(0) != &counter)
    return {};
  const BasicBlock* within = branch->getSuccessor(test->getPredicate() == llvm::ICmpInst::ICMP_EQ ? 0 : 1);
  if (within->getSinglePredecessor() == nullptr) return {};
  return {.within = within, .bits = mask->countr_zero()};
}

/// Whether `i` is the lowest bits of its operand, in a type of its own or as a mask.
bool is_low_bits(const Instruction& i, unsigned bits) {
  const llvm::APInt* mask = mask_of(i);
  return mask != nullptr ? mask->isMask(bits) : llvm::isa<llvm::TruncInst>(i) && i.getType()->isIntegerTy(bits);
}

/// Replaces `low`, the low bits of a counter that has no others, by the counter.
/// @param low  perhaps narrower than it
void replace_by(Instruction& low, llvm::PHINode& counter) {
  if (low.getType() == counter.getType()) return low.replaceAllUsesWith(&counter);
  for (llvm::User* user : llvm::make_early_inc_range(low.users())) {
    auto* wide = llvm::dyn_cast<llvm::ZExtInst>(user);
    if (wide == nullptr || wide->getType()->getScalarSizeInBits() < kNarrow) continue;
    for (llvm::User* further : llvm::make_early_inc_range(wide->users()))
      if (further->getType() == counter.getType() && llvm::isa<llvm::TruncInst>(further))
        further->replaceAllUsesWith(&counter);
    llvm::IRBuilder<> b(wide);
    wide->replaceAllUsesWith(b.CreateZExt(&counter, wide->getType()));
  }
}

/// Lets a bounded counter stand for its low bits, and marks additions by `or` as such.
void use_bound(llvm::PHINode& counter, const llvm::DominatorTree& dominators) {
  const Bound bound = bound_of(counter);
  if (bound.within == nullptr) return;
  const llvm::DataLayout& layout = counter.getDataLayout();
  for (llvm::User* user : llvm::make_early_inc_range(counter.users())) {
    auto* i = llvm::cast<Instruction>(user);
    if (!dominators.dominates(bound.within, i->getParent())) continue;
    if (is_low_bits(*i, bound.bits)) {
      replace_by(*i, counter);
    } else if (auto* sum = llvm::dyn_cast<llvm::PossiblyDisjointInst>(i)) {
      const Value* other = sum->getOperand(sum->getOperand(0) == &counter ? 1 : 0);
      if (llvm::computeKnownBits(other, layout).countMinTrailingZeros() >= bound.bits) sum->setIsDisjoint(true);
    }
  }
}

}  // namespace

void narrow_counters(llvm::Function& function, const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators) {
  llvm::Type* narrow = llvm::Type::getIntNTy(function.getContext(), kNarrow);
  llvm::IRBuilder<> b(function.getContext());
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    llvm::SmallVector<llvm::PHINode*> wide;
    for (llvm::PHINode& phi : loop->getHeader()->phis())
      if (phi.getType()->isIntegerTy(64)) wide.push_back(&phi);
    for (llvm::PHINode* phi : wide) {
      llvm::SmallVector<llvm::WeakTrackingVH> takers;
      if (!find_takers(*phi, takers)) continue;
      take_low_halves(b, takers, narrow);
      if (has_only_truncations(*phi, narrow)) use_bound(*narrowed(b, *phi, *loop, narrow), dominators);
    }
  }
}

}  // namespace lanewise::spmd

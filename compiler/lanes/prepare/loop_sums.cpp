// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/prepare/loop_sums.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>

namespace lanewise::spmd {

using llvm::Instruction;
using llvm::Value;

namespace {

/// Branches that meet again, on the way from a sum to what it is in the next iteration.
constexpr unsigned kDeepest = 64;

bool is_sum_type(const llvm::Type& type) {
  return type.isFloatTy() || type.isDoubleTy() || type.isIntegerTy(32) || type.isIntegerTy(64);
}

/// `sum + t`, `t + sum` or `sum - t`: the operand that is the sum so far; -1 for all other operations.
int place_of_sum(const Instruction& i, bool first, bool second) {
  switch (i.getOpcode()) {
    case Instruction::FAdd:
    case Instruction::Add:
      return first == second ? -1 : first ? 0 : 1;
    case Instruction::FSub:
    case Instruction::Sub:
      return first && !second ? 0 : -1;
    default:
      return -1;
  }
}

}  // namespace

LoopSum::LoopSum(const llvm::Loop& loop, llvm::PHINode& phi)
    : loop_(loop), phi_(phi), next_(*phi.getIncomingValueForBlock(loop.getLoopLatch())) {
  valid_ = is_sum_type(*phi.getType()) && part_of(next_) == SumRole::updated && stays_inside();
}

LoopSum::SumRole LoopSum::part_of(Value& value, unsigned depth) {
  if (&value == &phi_) return parts_[&value] = SumRole::same;
  auto* i = llvm::dyn_cast<Instruction>(&value);
  if (i == nullptr || !loop_.contains(i) || i->getType() != phi_.getType() || depth == kDeepest) return SumRole::none;
  if (const auto found = parts_.find(i); found != parts_.end()) return found->second;
  const SumRole part = part_of_instruction(*i, depth + 1);
  return parts_[i] = part;
}

LoopSum::SumRole LoopSum::part_of_instruction(Instruction& i, unsigned depth) {
  llvm::SmallVector<Value*, 4> merged;
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&i)) {
    if (phi->getParent() == loop_.getHeader()) return SumRole::none;
    merged.append(phi->value_op_begin(), phi->value_op_end());
  } else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&i)) {
    merged = {select->getTrueValue(), select->getFalseValue()};
  }
  if (!merged.empty()) {
    SumRole all = SumRole::same;
    for (Value* v : merged) {
      const SumRole part = part_of(*v, depth);
      if (part == SumRole::none) return SumRole::none;
      if (part == SumRole::updated) all = part;
    }
    return all;
  }
  if (i.getNumOperands() != 2) return SumRole::none;
  const SumRole first = part_of(*i.getOperand(0), depth);
  const SumRole second = part_of(*i.getOperand(1), depth);
  if (first == SumRole::updated || second == SumRole::updated) return SumRole::none;
  return place_of_sum(i, first == SumRole::same, second == SumRole::same) < 0 ? SumRole::none : SumRole::updated;
}

/// Nobody but the sum sees what it is before the last iteration has ended.
bool LoopSum::stays_inside() const {
  for (const auto& [value, part] : parts_)
    for (const llvm::User* user : value->users()) {
      if (part == SumRole::none || is_part(*user)) continue;
      if (value != &next_ || loop_.contains(llvm::cast<Instruction>(user))) return false;
    }
  return true;
}

Value* LoopSum::neutral() const {
  llvm::Type* type = phi_.getType();
  return type->isIntegerTy() ? llvm::ConstantInt::get(type, 0) : llvm::ConstantFP::getNegativeZero(type);
}

Value* LoopSum::addend() {
  return addend_of(next_);
}

Value* LoopSum::addend_of(Value& value) {
  if (parts_.lookup(&value) == SumRole::same) return neutral();
  if (const auto found = addends_.find(&value); found != addends_.end()) return found->second;
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&value)) return addend_of_phi(*phi);
  auto& i = llvm::cast<Instruction>(value);
  llvm::IRBuilder<> b(&i);
  if (llvm::isa<llvm::FPMathOperator>(i)) b.setFastMathFlags(i.getFastMathFlags());
  Value* found = nullptr;
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&i)) {
    Value* yes = addend_of(*select->getTrueValue());
    Value* no = addend_of(*select->getFalseValue());
    found = b.CreateSelect(select->getCondition(), yes, no);
  } else {
    Value* term = i.getOperand(is_part(*i.getOperand(0)) ? 1 : 0);
    if (i.getOpcode() == Instruction::FSub)
      term = b.CreateFNeg(term);
    else if (i.getOpcode() == Instruction::Sub)
      term = b.CreateNeg(term);
    found = term;
  }
  return addends_[&value] = found;
}

Value* LoopSum::addend_of_phi(llvm::PHINode& phi) {
  auto* merged =
      llvm::PHINode::Create(phi.getType(), phi.getNumIncomingValues(), phi.getName() + ".addend", phi.getIterator());
  for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k)
    merged->addIncoming(addend_of(*phi.getIncomingValue(k)), phi.getIncomingBlock(k));
  return addends_[&phi] = merged;
}

}  // namespace lanewise::spmd

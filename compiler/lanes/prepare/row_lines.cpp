// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/prepare/row_lines.h"

#include <llvm/IR/Instructions.h>

namespace lanewise::spmd {

using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

namespace {

RowLines::Stride sum_of(RowLines::Stride a, RowLines::Stride b, std::int64_t sign) {
  constexpr std::int64_t kMost = std::int64_t{1} << 20U;
  if (!a || !b || std::abs(*a + sign * *b) > kMost) return std::nullopt;
  return *a + sign * *b;
}

RowLines::Stride times(RowLines::Stride a, std::int64_t by) {
  return a ? sum_of(*a * by, 0, 1) : a;
}

/// What each iteration adds to a counter, and from where it begins; null if the phi is no counter.
std::pair<const Value*, const Value*> step_and_start(const PHINode& phi) {
  for (unsigned k = 0; phi.getNumIncomingValues() == 2 && k < 2; ++k) {
    const auto* next = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValue(k));
    if (next != nullptr && next->getOpcode() == Instruction::Add && next->getOperand(0) == &phi)
      return {next->getOperand(1), phi.getIncomingValue(1 - k)};
  }
  return {nullptr, nullptr};
}

}  // namespace

RowLines::Stride RowLines::of(const Value& v, unsigned depth) const {
  constexpr unsigned kDeepest = 16;
  const auto* i = llvm::dyn_cast<Instruction>(&v);
  if (i == nullptr || !items_.loop->contains(i)) return 0;
  if (i == items_.id) return 1;
  if (depth == kDeepest) return std::nullopt;
  if (const auto* phi = llvm::dyn_cast<PHINode>(i)) return of_phi(*phi, depth + 1);
  const auto operand = [&](unsigned k) { return of(*i->getOperand(k), depth + 1); };
  const auto* constant = i->getNumOperands() == 2 ? llvm::dyn_cast<llvm::ConstantInt>(i->getOperand(1)) : nullptr;
  const bool small = constant != nullptr && constant->getValue().isSignedIntN(16);
  switch (i->getType()->isIntegerTy() ? i->getOpcode() : 0) {
    case Instruction::Add:
      return sum_of(operand(0), operand(1), 1);
    case Instruction::Sub:
      return sum_of(operand(0), operand(1), -1);
    case Instruction::Or:
      if (llvm::cast<llvm::PossiblyDisjointInst>(i)->isDisjoint()) return sum_of(operand(0), operand(1), 1);
      break;
    case Instruction::Mul:
      if (small) return times(operand(0), constant->getSExtValue());
      break;
    case Instruction::Shl:
      if (small && constant->getValue().ult(16)) return times(operand(0), std::int64_t{1} << constant->getZExtValue());
      break;
    case Instruction::Trunc:
      return operand(0);
    case Instruction::ZExt:
    case Instruction::SExt:  // of a local id, which is small
      if (const auto* id = llvm::dyn_cast<llvm::TruncInst>(i->getOperand(0));
          id != nullptr && id->getOperand(0) == items_.id && id->getType()->isIntegerTy(32))
        return 1;
      break;
    default:
      break;
  }
  return by_operands(*i, depth);
}

/// A loop in which all work-items are at the same number at the same time.
RowLines::Stride RowLines::of_phi(const PHINode& phi, unsigned depth) const {
  const auto [step, start] = step_and_start(phi);
  return step != nullptr && of(*step, depth) == Stride(0) && of(*start, depth) == Stride(0) ? Stride(0) : std::nullopt;
}

RowLines::Stride RowLines::by_operands(const Instruction& i, unsigned depth) const {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
  if (i.mayHaveSideEffects() || (i.mayReadFromMemory() && (load == nullptr || !load->isSimple()))) return std::nullopt;
  for (const llvm::Use& operand : i.operands())
    if (of(*operand.get(), depth + 1) != Stride(0)) return std::nullopt;
  return 0;
}

RowLines::Stride RowLines::of_counter(const Value& v) const {
  const Value* number = &v;
  while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(number)) number = cast->getOperand(0);
  const auto* phi = llvm::dyn_cast<PHINode>(number);
  if (phi == nullptr || phi == items_.id || !items_.loop->contains(phi)) return of(*number);
  const auto [step, start] = step_and_start(*phi);
  return step != nullptr && of(*step) == Stride(0) ? of(*start) : std::nullopt;
}

Value* RowLines::first(Value& v, llvm::IRBuilder<>& at) const {
  auto* i = llvm::dyn_cast<Instruction>(&v);
  if (&v == items_.id) return llvm::ConstantInt::get(v.getType(), 0);
  if (i == nullptr || of(v) == Stride(0)) return &v;
  // A disjoint "or" is a sum for the work-items that come to it. The first one may be none of these.
  Instruction* copy = i->getOpcode() == Instruction::Or && of(v) != std::nullopt
                          ? llvm::BinaryOperator::CreateAdd(i->getOperand(0), i->getOperand(1))
                          : i->clone();
  copy->dropPoisonGeneratingFlags();
  for (llvm::Use& operand : copy->operands()) operand.set(first(*operand.get(), at));
  return at.Insert(copy, i->getName() + ".first");
}

}  // namespace lanewise::spmd

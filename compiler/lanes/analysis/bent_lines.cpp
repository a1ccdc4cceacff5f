// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/analysis/bent_lines.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/builtins/packets.h"

namespace lanewise::spmd {

using llvm::Instruction;
using llvm::Value;

/// From an address to the id: that of a repeated image, with normalised coordinates, is some twenty steps away.
constexpr unsigned kDeepestIndex = 24;

/// ~x, which is -1 - x.
static bool is_inverse(const Instruction& i) {
  return llvm::PatternMatch::match(&i, llvm::PatternMatch::m_Not(llvm::PatternMatch::m_Value()));
}

BentLines::Guess BentLines::guess(const Value& pointer) {
  if (!follow(pointer, kDeepestIndex) || !bends_ || leaps_) return Guess::scattered;
  return rounds_ ? Guess::scaled : Guess::often;
}

/// Small enough for sums and products of two.
constexpr std::int64_t kMostStep = 1 << 20;

std::optional<std::int64_t> BentLines::step(const Value& pointer) const {
  constexpr unsigned kDeepestStep = 12;
  return step_of(pointer, kDeepestStep);
}

/// Of a value that is one of two: that of the one which changes from lane to lane.
BentLines::Step BentLines::either(Step a, Step b) {
  if (!a || !b || *a == 0) return b && a ? b : std::nullopt;
  return *b == 0 || *a == *b ? a : std::nullopt;
}

BentLines::Step BentLines::step_of_address(const llvm::GEPOperator& address, unsigned depth) const {
  const llvm::DataLayout& layout = llvm::cast<Instruction>(&address)->getDataLayout();
  llvm::SmallMapVector<Value*, llvm::APInt, 4> factors;
  llvm::APInt constant(layout.getIndexTypeSizeInBits(address.getType()), 0);
  Step step = step_of(*address.getPointerOperand(), depth);
  if (!address.collectOffset(layout, constant.getBitWidth(), factors, constant)) return std::nullopt;
  for (const auto& [index, factor] : factors) {
    const Step of_index = step_of(*index, depth);
    if (!step || !of_index || factor.abs().ugt(kMostStep)) return std::nullopt;
    step = *step + *of_index * factor.getSExtValue();
  }
  return step;
}

BentLines::Step BentLines::step_of(const Value& v, unsigned depth) const {
  const auto bounded = [](Step step) { return step && std::abs(*step) <= kMostStep ? step : std::nullopt; };
  const Shape shape = shapes_.of(v);
  if (shape.is_uniform()) return 0;
  if (shape.has_base()) return bounded(shape.kind == Kind::strided ? Step(shape.stride) : std::nullopt);
  const auto* i = llvm::dyn_cast<Instruction>(&v);
  if (i == nullptr || depth == 0 || !body_.contains(i->getParent())) return std::nullopt;
  const auto of = [&](unsigned operand) { return step_of(*i->getOperand(operand), depth - 1); };
  if (i->getNumOperands() != 0 && i->getOperand(0)->getType()->isIntegerTy(1) && llvm::isa<llvm::CastInst>(i)) return 0;
  switch (i->getOpcode()) {
    case Instruction::GetElementPtr:
      return bounded(step_of_address(*llvm::cast<llvm::GEPOperator>(i), depth - 1));
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::Trunc:
    case Instruction::Freeze:
    case Instruction::AddrSpaceCast:
    case Instruction::SRem:
    case Instruction::URem:
    case Instruction::And:
      return of(0);
    case Instruction::SDiv:
    case Instruction::UDiv:
    case Instruction::LShr:
    case Instruction::AShr:
      return 0;
    case Instruction::Add:
    case Instruction::Or:
    case Instruction::Sub: {
      const Step a = of(0);
      const Step b = of(1);
      return a && b ? bounded(i->getOpcode() == Instruction::Sub ? *a - *b : *a + *b) : std::nullopt;
    }
    case Instruction::Xor: {
      const Step a = of(0);
      return a && is_inverse(*i) ? Step(-*a) : std::nullopt;
    }
    case Instruction::Mul:
    case Instruction::Shl: {
      const auto* factor = llvm::dyn_cast<llvm::ConstantInt>(i->getOperand(1));
      const Step a = of(0);
      if (factor == nullptr || !a) return a == 0 && of(1) == 0 ? a : std::nullopt;
      if (i->getOpcode() == Instruction::Shl)
        return factor->uge(20) ? std::nullopt : bounded(*a * (1LL << factor->getZExtValue()));
      return factor->getValue().abs().ugt(kMostStep) ? std::nullopt : bounded(*a * factor->getSExtValue());
    }
    case Instruction::Select:
      return either(of(1), of(2));
    case Instruction::Call:
      return step_of_call(*llvm::cast<llvm::CallBase>(i), depth - 1);
    default:
      return std::nullopt;
  }
}

BentLines::Step BentLines::step_of_call(const llvm::CallBase& call, unsigned depth) const {
  const auto of = [&](unsigned operand) { return step_of(*call.getArgOperand(operand), depth); };
  if (llvm::isa<llvm::MinMaxIntrinsic>(call)) return either(of(0), of(1));
  const auto id = call.getIntrinsicID();
  if (id == llvm::Intrinsic::abs) return of(0);
  if (const auto* saturated = llvm::dyn_cast<llvm::SaturatingInst>(&call)) {
    const Step a = of(0);
    const Step b = of(1);
    if (!a || !b) return std::nullopt;
    return saturated->getBinaryOp() == Instruction::Sub ? *a - *b : *a + *b;
  }
  return std::nullopt;
}

/// Each value is followed once: the same coordinate is used many times on the way.
bool BentLines::follow(const Value& v, unsigned depth) {
  if (const Shape shape = shapes_.of(v); shape.has_base()) {
    leaps_ |= dividends_ != 0 && shape.kind == Kind::strided && shape.stride != 1;
    return true;
  }
  const auto* i = llvm::dyn_cast<Instruction>(&v);
  if (i == nullptr || depth == 0 || !body_.contains(i->getParent()) || i->getType()->isVectorTy()) return false;
  if (const auto known = known_.find(i); known != known_.end()) return known->second;
  const bool result = follow_instruction(*i, depth - 1);
  known_[i] = result;
  return result;
}

bool BentLines::follow_operands(const Instruction& i, unsigned first, unsigned count, unsigned depth) {
  for (unsigned k = first; k < first + count; ++k)
    if (!follow(*i.getOperand(k), depth)) return false;
  return true;
}

/// A number that does not count up by one has no neighbours that are one texel away, unless the scale is its inverse.
bool BentLines::follow_conversion(const Instruction& i, unsigned depth) {
  const Shape shape = shapes_.of(*i.getOperand(0));
  return (shape.kind != Kind::strided || shape.stride == 1) && follow(*i.getOperand(0), depth);
}

bool BentLines::follow_call(const llvm::CallBase& call, unsigned depth) {
  if (packets::take(call) != nullptr) return bends_ = true;  // those that one reservation takes are neighbours
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umax:
    case llvm::Intrinsic::abs:
    case llvm::Intrinsic::uadd_sat:
    case llvm::Intrinsic::usub_sat:
    case llvm::Intrinsic::sadd_sat:
    case llvm::Intrinsic::ssub_sat:
      bends_ = true;
      [[fallthrough]];
    case llvm::Intrinsic::floor:
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::fabs:
    case llvm::Intrinsic::fma:
    case llvm::Intrinsic::fmuladd:
    case llvm::Intrinsic::fptosi_sat:
    case llvm::Intrinsic::fptoui_sat:
      break;
    default:
      return false;
  }
  if (call.getType()->isIntegerTy() && call.getArgOperand(0)->getType()->isFloatingPointTy()) bends_ = rounds_ = true;
  return follow_operands(call, 0, call.arg_size(), depth);
}

/// A condition by which an index is one more or less: comparisons of such indices, which change at edges.
bool BentLines::follow_condition(const Value& v, unsigned depth) {
  if (shapes_.of(v).has_base()) return true;
  const auto* i = llvm::dyn_cast<Instruction>(&v);
  if (i == nullptr || depth == 0 || !body_.contains(i->getParent())) return false;
  bends_ = true;
  if (llvm::isa<llvm::ICmpInst>(i)) return follow_operands(*i, 0, 2, depth - 1);
  return i->isBitwiseLogicOp() && follow_condition(*i->getOperand(0), depth - 1) &&
         follow_condition(*i->getOperand(1), depth - 1);
}

bool BentLines::follow_instruction(const Instruction& i, unsigned depth) {
  if (llvm::isa<llvm::CastInst>(i) && i.getOperand(0)->getType()->isIntegerTy(1))
    return follow_condition(*i.getOperand(0), depth);
  switch (i.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem: {
      bends_ = divides_ = true;
      ++dividends_;
      const bool result = follow_operands(i, 0, i.getNumOperands(), depth);
      --dividends_;
      return result;
    }
    case Instruction::And:
    case Instruction::LShr:
    case Instruction::AShr:
      bends_ = true;
      [[fallthrough]];
    case Instruction::GetElementPtr:
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::Trunc:
    case Instruction::Freeze:
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl:
    case Instruction::Or:
    case Instruction::AddrSpaceCast:
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
    case Instruction::FDiv:
      return follow_operands(i, 0, i.getNumOperands(), depth);
    case Instruction::Xor:
      return is_inverse(i) && follow(*i.getOperand(0), depth);
    case Instruction::FPToSI:
    case Instruction::FPToUI:
      bends_ = rounds_ = true;
      return follow(*i.getOperand(0), depth);
    case Instruction::SIToFP:
    case Instruction::UIToFP:
      return follow_conversion(i, depth);
    case Instruction::Select:
      // The condition may vary: it only chooses between two such indices.
      bends_ = true;
      return follow_operands(i, 1, 2, depth);
    case Instruction::Call:
      return follow_call(llvm::cast<llvm::CallBase>(i), depth);
    default:
      return false;
  }
}

}  // namespace lanewise::spmd

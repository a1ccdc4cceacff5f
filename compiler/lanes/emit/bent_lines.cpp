// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/bent_lines.h"

#include <llvm/IR/IntrinsicInst.h>

#include "compiler/builtins/packets.h"

namespace lanewise::spmd {

using llvm::Instruction;
using llvm::Value;

/// From an address to the id: that of a repeated image, with normalised coordinates, is some twenty steps away.
constexpr unsigned kDeepestIndex = 24;

BentLines::Guess BentLines::guess(const Value& pointer) {
  if (!follow(pointer, kDeepestIndex) || !bends_ || leaps_) return Guess::scattered;
  return rounds_ ? Guess::scaled : Guess::often;
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

bool BentLines::follow_instruction(const Instruction& i, unsigned depth) {
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Integer division and saturating conversions, which processors have no vector instructions for.
///
/// The quotient of two integers of at most 32 bits is that of their values as double, rounded to zero: if a / b is not
/// an integer, it is at least 1/b away from the next one, a relative distance of 1/a, which is more than a rounding
/// error. A uniform divisor's reciprocal is computed once, and made a little too large: a * r is then never below a /
/// b, and above it by less than 1/b, too little to reach the next integer. (Float does the same for 16 bits.)
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/spmd/emitter.h"

namespace lanewise::spmd {
namespace {

using llvm::ConstantFP;
using llvm::ConstantInt;
using llvm::Instruction;

/// 1 + 2^-50, and for float 1 + 2^-20: more than the roundings of reciprocal and product together.
double slightly_more(bool narrow) {
  return narrow ? 1.0 + 1.0 / (1U << 20U) : 1.0 + 1.0 / static_cast<double>(std::uint64_t{1} << 50U);
}

/// The divisor n behind `select (n == 0 or overflow), 1, n` (codegen/division.h).
const llvm::Value* guarded_divisor(const llvm::Value* divisor) {
  const auto* select = llvm::dyn_cast<llvm::SelectInst>(divisor);
  if (select == nullptr) return nullptr;
  const auto* one = llvm::dyn_cast<ConstantInt>(select->getTrueValue());
  return one != nullptr && one->isOne() ? select->getFalseValue() : nullptr;
}

}  // namespace

Emitter::Value* Emitter::widened_division(const llvm::BinaryOperator& i, Value* mask) {
  const unsigned bits = i.getType()->getScalarSizeInBits();
  const Value* divisor = i.getOperand(1);
  if (bits > 32 || bits < 8 || i.getType()->isVectorTy() || llvm::isa<llvm::Constant>(divisor)) return nullptr;
  const bool is_signed = i.getOpcode() == Instruction::SDiv || i.getOpcode() == Instruction::SRem;
  const bool narrow = bits <= 16;
  llvm::Type* real = narrow ? b_.getFloatTy() : b_.getDoubleTy();
  const auto to_real = [&](Value* v) {
    llvm::Type* type = v->getType()->isVectorTy() ? wide(real) : real;
    return is_signed ? b_.CreateSIToFP(v, type) : b_.CreateUIToFP(v, type);
  };
  Value* a = vector(i.getOperand(0));
  Value* all = nullptr;
  Value* quotient = nullptr;
  Value* overflow = nullptr;
  const Value* plain = guarded_divisor(divisor);
  const bool guarded = plain != nullptr && shapes_.of(*plain).is_uniform();
  if (guarded || shapes_.of(*divisor).is_uniform()) {
    Value* n = base(guarded ? plain : divisor);
    n = b_.CreateFreeze(n);
    n = b_.CreateSelect(b_.CreateIsNull(n), ConstantInt::get(n->getType(), 1), n);
    Value* r = b_.CreateFDiv(ConstantFP::get(real, 1.0), to_real(n));
    r = b_.CreateFMul(r, ConstantFP::get(real, slightly_more(narrow)));
    all = splat(n);
    if (is_signed) {
      // The lowest number by -1: itself, as what wraps around.
      a = b_.CreateFreeze(a);
      Value* lowest = ConstantInt::get(a->getType(), llvm::APInt::getSignedMinValue(bits));
      overflow = b_.CreateAnd(b_.CreateICmpEQ(a, lowest), splat(b_.CreateIsNull(b_.CreateNot(n))));
    }
    Value* dividend =
        overflow == nullptr ? a : b_.CreateSelect(overflow, llvm::Constant::getNullValue(a->getType()), a);
    quotient = b_.CreateFMul(to_real(dividend), splat(r));
  } else {
    all = vector(divisor);
    if (mask != nullptr) all = b_.CreateSelect(mask, all, ConstantInt::get(all->getType(), 1));
    quotient = b_.CreateFDiv(to_real(a), to_real(all));
    // Lanes that are not active may hold anything.
    if (mask != nullptr) quotient = b_.CreateSelect(mask, quotient, llvm::Constant::getNullValue(quotient->getType()));
  }
  Value* q = is_signed ? b_.CreateFPToSI(quotient, a->getType()) : b_.CreateFPToUI(quotient, a->getType());
  if (overflow != nullptr) q = b_.CreateSelect(overflow, a, q);
  if (i.getOpcode() == Instruction::SDiv || i.getOpcode() == Instruction::UDiv) return q;
  return b_.CreateSub(a, b_.CreateMul(q, all));
}

/// `fptosi.sat` and `fptoui.sat` to few bits: clamped as a float, which represents the limits exactly.
Emitter::Value* Emitter::saturated(const llvm::CallInst& call) {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (id != llvm::Intrinsic::fptosi_sat && id != llvm::Intrinsic::fptoui_sat) return nullptr;
  const unsigned bits = call.getType()->getScalarSizeInBits();
  llvm::Type* from = call.getArgOperand(0)->getType();
  if (bits > 16 || !(from->isFloatTy() || from->isDoubleTy())) return nullptr;
  const bool is_signed = id == llvm::Intrinsic::fptosi_sat;
  const llvm::APInt low = is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt(bits, 0);
  const llvm::APInt high = is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
  Value* x = vector(call.getArgOperand(0));
  const auto limit = [&](const llvm::APInt& v) { return ConstantFP::get(x->getType(), v.roundToDouble(is_signed)); };
  // Of a NaN: 0. The comparison is false for it, which gives the lower limit where that is 0.
  Value* value = is_signed ? b_.CreateSelect(b_.CreateFCmpORD(x, x), x, llvm::Constant::getNullValue(x->getType())) : x;
  value = b_.CreateSelect(b_.CreateFCmpOGT(value, limit(low)), value, limit(low));
  value = b_.CreateSelect(b_.CreateFCmpOLT(value, limit(high)), value, limit(high));
  return b_.CreateTrunc(b_.CreateFPToSI(value, wide(b_.getInt32Ty())), wide(call.getType()));
}

}  // namespace lanewise::spmd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/arithmetic.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <cmath>

#include "compiler/builtins/machine_operations.h"

namespace lanewise::spmd {
namespace {

using llvm::ConstantFP;
using llvm::ConstantInt;
using llvm::Instruction;
using llvm::Value;

/// 1 + 2^-50, and for float 1 + 2^-20, which exceeds the rounding errors of reciprocal and product together.
double slightly_more(bool narrow) {
  return narrow ? 1.0 + 1.0 / (1U << 20U) : 1.0 + 1.0 / static_cast<double>(std::uint64_t{1} << 50U);
}

/// Somewhat more than 1 / n for the integers n of at most 32 bits, or 16 as float: by less than 2^-34 and 2^-17 of it.
Value* refined_reciprocal(LaneBuilder& b, Value* n, bool narrow) {
  llvm::Type* real = n->getType()->getScalarType();
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  llvm::Function& estimate =
      machine_operation(module, narrow ? "rcp14_f" : "rcp14_d", *llvm::FunctionType::get(real, real, false));
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(n->getType())->getNumElements();
  Value* r = b.CreateCall(&wide_machine_operation(estimate, lanes), n);
  const auto fused = [&](Value* x, Value* y, Value* z) {
    return b.CreateIntrinsic(llvm::Intrinsic::fma, n->getType(), {x, y, z});
  };
  Value* excess = ConstantFP::get(n->getType(), 1.0 + std::ldexp(1.0, narrow ? -18 : -36));
  Value* error = fused(b.CreateFNeg(n), r, excess);
  if (!narrow) error = fused(error, error, error);
  return fused(error, r, r);
}

/// The divisor n of `select (n == 0 or overflow), 1, n` (kernel/division.h).
const Value* guarded_divisor(const Value* divisor) {
  const auto* select = llvm::dyn_cast<llvm::SelectInst>(divisor);
  if (select == nullptr) return nullptr;
  const auto* one = llvm::dyn_cast<ConstantInt>(select->getTrueValue());
  return one != nullptr && one->isOne() ? select->getFalseValue() : nullptr;
}

}  // namespace

Value* widened_division(VectorState& s, const llvm::BinaryOperator& i, Value* mask) {
  LaneBuilder& b = s.b;
  const unsigned bits = i.getType()->getScalarSizeInBits();
  const Value* divisor = i.getOperand(1);
  if (bits > 32 || bits < 8 || i.getType()->isVectorTy() || llvm::isa<llvm::Constant>(divisor)) return nullptr;
  const bool is_signed = i.getOpcode() == Instruction::SDiv || i.getOpcode() == Instruction::SRem;
  const bool narrow = bits <= 16;
  llvm::Type* real = narrow ? b.getFloatTy() : b.getDoubleTy();
  const auto to_real = [&](Value* v) {
    llvm::Type* type = v->getType()->isVectorTy() ? b.wide(real) : real;
    return is_signed ? b.CreateSIToFP(v, type) : b.CreateUIToFP(v, type);
  };
  Value* a = s.vector(i.getOperand(0));
  Value* all = nullptr;
  Value* quotient = nullptr;
  Value* overflow = nullptr;
  const Value* plain = guarded_divisor(divisor);
  const bool guarded = plain != nullptr && s.shape(plain).is_uniform();
  if (guarded || s.shape(divisor).is_uniform()) {
    Value* n = s.base(guarded ? plain : divisor);
    n = b.CreateFreeze(n);
    n = b.CreateSelect(b.CreateIsNull(n), ConstantInt::get(n->getType(), 1), n);
    Value* r = b.CreateFDiv(ConstantFP::get(real, 1.0), to_real(n));
    r = b.CreateFMul(r, ConstantFP::get(real, slightly_more(narrow)));
    all = b.splat(n);
    if (is_signed) {
      // The lowest number divided by -1 is itself, as its negation wraps.
      a = b.CreateFreeze(a);
      Value* lowest = ConstantInt::get(a->getType(), llvm::APInt::getSignedMinValue(bits));
      overflow = b.CreateAnd(b.CreateICmpEQ(a, lowest), b.splat(b.CreateIsNull(b.CreateNot(n))));
    }
    Value* dividend = overflow == nullptr ? a : b.CreateSelect(overflow, llvm::Constant::getNullValue(a->getType()), a);
    quotient = b.CreateFMul(to_real(dividend), b.splat(r));
  } else {
    all = s.vector(divisor);
    if (mask != nullptr) all = b.CreateSelect(mask, all, ConstantInt::get(all->getType(), 1));
    if (s.isa.has_reciprocal_estimates())
      quotient = b.CreateFMul(to_real(a), refined_reciprocal(b, to_real(all), narrow));
    else
      quotient = b.CreateFDiv(to_real(a), to_real(all));
    // Inactive lanes may hold anything.
    if (mask != nullptr) quotient = b.CreateSelect(mask, quotient, llvm::Constant::getNullValue(quotient->getType()));
  }
  Value* q = is_signed ? b.CreateFPToSI(quotient, a->getType()) : b.CreateFPToUI(quotient, a->getType());
  if (overflow != nullptr) q = b.CreateSelect(overflow, a, q);
  if (i.getOpcode() == Instruction::SDiv || i.getOpcode() == Instruction::UDiv) return q;
  return b.CreateSub(a, b.CreateMul(q, all));
}

/// Clamped as a float, which represents the limits exactly.
Value* saturated_conversion(VectorState& s, const llvm::CallInst& call) {
  LaneBuilder& b = s.b;
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (id != llvm::Intrinsic::fptosi_sat && id != llvm::Intrinsic::fptoui_sat) return nullptr;
  const unsigned bits = call.getType()->getScalarSizeInBits();
  llvm::Type* from = call.getArgOperand(0)->getType();
  if (bits > 16 || !(from->isFloatTy() || from->isDoubleTy())) return nullptr;
  const bool is_signed = id == llvm::Intrinsic::fptosi_sat;
  const llvm::APInt low = is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt(bits, 0);
  const llvm::APInt high = is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
  Value* x = s.vector(call.getArgOperand(0));
  const auto limit = [&](const llvm::APInt& v) { return ConstantFP::get(x->getType(), v.roundToDouble(is_signed)); };
  // NaN gives 0. Without sign the lower limit is 0, and a comparison with NaN is false, which gives that limit.
  Value* value = is_signed ? b.CreateSelect(b.CreateFCmpORD(x, x), x, llvm::Constant::getNullValue(x->getType())) : x;
  value = b.CreateSelect(b.CreateFCmpOGT(value, limit(low)), value, limit(low));
  value = b.CreateSelect(b.CreateFCmpOLT(value, limit(high)), value, limit(high));
  return b.CreateTrunc(b.CreateFPToSI(value, b.wide(b.getInt32Ty())), b.wide(call.getType()));
}

Value* converted_id(VectorState& s, const llvm::CastInst& cast) {
  const Value* id = cast.getOperand(0);
  const Shape shape = s.shape(id);
  if (!llvm::isa<llvm::SIToFPInst, llvm::UIToFPInst>(cast) || !id->getType()->isIntegerTy(64)) return nullptr;
  if (shape.kind != Kind::strided || !shape.bounded || shape.checked) return nullptr;
  LaneBuilder& b = s.b;
  Value* first = b.CreateTrunc(s.base(id), b.getInt32Ty());
  Value* all = b.CreateAdd(b.splat(first), b.CreateMul(b.CreateStepVector(b.wide(b.getInt32Ty())),
                                                       b.splat(b.getInt32(static_cast<std::uint32_t>(shape.stride)))));
  Value* numbers = b.CreateSIToFP(all, b.wide(cast.getType()));
  if (s.bounded) return numbers;
  Value* one = b.CreateCast(cast.getOpcode(), s.base(id), cast.getType());
  return b.CreateInsertElement(numbers, one, b.getInt64(0));
}

}  // namespace lanewise::spmd

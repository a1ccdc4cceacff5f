// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/half.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/CodeGen/AtomicExpandUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "compiler/base/context.h"
#include "compiler/target/interface/operations.h"

namespace lanewise {
namespace {

using llvm::Constant;
using llvm::ConstantFP;
using llvm::ConstantInt;
using llvm::Instruction;
using llvm::Type;
using llvm::Value;
using llvm::Intrinsic::ID;

bool is_half(const Value* v) {
  return v->getType()->getScalarType()->isHalfTy();
}

/// `element`, or a vector of it with as many components as `like`.
Type* shaped(Type* element, const Type* like) {
  const auto* vector = llvm::dyn_cast<llvm::VectorType>(like);
  return vector == nullptr ? element : llvm::VectorType::get(element, vector->getElementCount());
}

/// Functions of one to three operands of one type whose result is that of the float function, rounded to half.
bool same_in_float(ID id) {
  switch (id) {
    case llvm::Intrinsic::sqrt:
    case llvm::Intrinsic::floor:
    case llvm::Intrinsic::ceil:
    case llvm::Intrinsic::trunc:
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::nearbyint:
    case llvm::Intrinsic::round:
    case llvm::Intrinsic::roundeven:
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::minimum:
    case llvm::Intrinsic::maximum:
    case llvm::Intrinsic::minimumnum:
    case llvm::Intrinsic::maximumnum:
    case llvm::Intrinsic::canonicalize:
      return true;
    default:
      return false;
  }
}

class HalfLowering {
 public:
  HalfLowering(llvm::LLVMContext& context, Isa isa)
      : b_(context),
        converts_(isa.has_half_conversions()),
        fused_to_odd_(isa.has_directed_rounding() ? target_operations(isa.architecture()).fused_to_odd : nullptr) {}

  /// The value that replaces `i`; null if `i` may stay.
  Value* replacement(Instruction& i) {
    b_.SetInsertPoint(&i);
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i)) return of_intrinsic(*intrinsic);
    if (llvm::isa<llvm::CastInst>(i)) return of_cast(i);
    if (const auto* compare = llvm::dyn_cast<llvm::FCmpInst>(&i)) {
      if (!is_half(i.getOperand(0))) return nullptr;
      return b_.CreateFCmp(compare->getPredicate(), extended(i.getOperand(0)), extended(i.getOperand(1)));
    }
    if (!llvm::isa<llvm::BinaryOperator>(i) || !is_half(&i)) return nullptr;
    const auto opcode = static_cast<Instruction::BinaryOps>(i.getOpcode());
    return truncated(b_.CreateBinOp(opcode, extended(i.getOperand(0)), extended(i.getOperand(1))));
  }

 private:
  Type* type(Type* element, const Value* like) { return shaped(element, like->getType()); }
  Type* int32(const Value* like) { return type(b_.getInt32Ty(), like); }
  Constant* number(const Value* like, std::uint64_t bits) { return ConstantInt::get(like->getType(), bits); }

  Value* of_intrinsic(const llvm::IntrinsicInst& call) {
    const ID id = call.getIntrinsicID();
    const bool saturates = id == llvm::Intrinsic::fptosi_sat || id == llvm::Intrinsic::fptoui_sat;
    if (saturates && is_half(call.getArgOperand(0))) {
      Value* x = extended(call.getArgOperand(0));
      return b_.CreateIntrinsic(id, {call.getType(), x->getType()}, {x});
    }
    if (!is_half(&call)) return nullptr;
    if (id == llvm::Intrinsic::fma) return fused(call);
    llvm::SmallVector<Value*, 3> operands;
    if (id == llvm::Intrinsic::fmuladd) {
      Value* product = b_.CreateFMul(extended(call.getArgOperand(0)), extended(call.getArgOperand(1)));
      return truncated(b_.CreateFAdd(extended(truncated(product)), extended(call.getArgOperand(2))));
    }
    if (!same_in_float(id)) return nullptr;
    for (const llvm::Use& operand : call.args()) operands.push_back(extended(operand.get()));
    return truncated(b_.CreateIntrinsic(id, {operands.front()->getType()}, operands));
  }

  Value* of_cast(const Instruction& i) {
    Value* x = i.getOperand(0);
    switch (i.getOpcode()) {
      case Instruction::FPExt:
        if (!is_half(x) || (converts_ && !i.getType()->getScalarType()->isDoubleTy())) return nullptr;
        return i.getType()->getScalarType()->isDoubleTy() ? b_.CreateFPExt(extended(x), i.getType()) : extended(x);
      case Instruction::FPTrunc:
        if (!is_half(&i)) return nullptr;
        if (x->getType()->getScalarType()->isDoubleTy()) return truncated(to_odd(x));
        return converts_ ? nullptr : truncated(x);
      case Instruction::FPToSI:
      case Instruction::FPToUI:
        if (!is_half(x)) return nullptr;
        return b_.CreateCast(llvm::cast<llvm::CastInst>(i).getOpcode(), extended(x), i.getType());
      case Instruction::SIToFP:
      case Instruction::UIToFP:  // float represents every integer that does not overflow in half
        if (!is_half(&i)) return nullptr;
        return truncated(b_.CreateCast(llvm::cast<llvm::CastInst>(i).getOpcode(), x, type(b_.getFloatTy(), x)));
      case Instruction::BitCast:
        return of_condition(i);
      default:
        return nullptr;
    }
  }

  /// The bits of a half that are a condition. The code generator would make a half of the mask register that has it,
  /// for which it knows no instruction.
  Value* of_condition(const Instruction& cast) {
    const auto* bits = llvm::dyn_cast<llvm::CastInst>(cast.getOperand(0));
    if (!cast.getType()->isHalfTy() || bits == nullptr || !bits->getSrcTy()->isIntegerTy(1)) return nullptr;
    Constant* set = llvm::isa<llvm::SExtInst>(bits) ? llvm::ConstantInt::getAllOnesValue(bits->getType())
                                                    : ConstantInt::get(bits->getType(), 1);
    return b_.CreateSelect(bits->getOperand(0), llvm::ConstantExpr::getBitCast(set, cast.getType()),
                           ConstantFP::get(cast.getType(), 0.0));
  }

  Value* extended(Value* half) {
    Type* wide = type(b_.getFloatTy(), half);
    if (converts_ || llvm::isa<Constant>(half)) return b_.CreateFPExt(half, wide);
    return extended_by_integers(half, wide);
  }

  Value* truncated(Value* wide) {
    if (converts_) return b_.CreateFPTrunc(wide, type(b_.getHalfTy(), wide));
    return truncated_by_integers(wide);
  }

  /// Moving exponent and fraction to their places in a float scales by 2^-112, which one exact multiplication undoes,
  /// for subnormal values too. Infinities and NaNs keep their fraction.
  Value* extended_by_integers(Value* half, Type* wide) {
    Value* bits = b_.CreateZExt(b_.CreateBitCast(half, type(b_.getInt16Ty(), half)), int32(half));
    Value* moved = b_.CreateShl(b_.CreateAnd(bits, 0x7fff), 13);
    Value* finite = b_.CreateFMul(b_.CreateBitCast(moved, wide), ConstantFP::get(wide, 0x1p112));
    Value* special = b_.CreateICmpUGE(moved, number(moved, 0x7c00U << 13));
    Value* magnitude =
        b_.CreateSelect(special, b_.CreateOr(moved, number(moved, 0x7f800000)), b_.CreateBitCast(finite, int32(half)));
    return b_.CreateBitCast(b_.CreateOr(magnitude, b_.CreateShl(b_.CreateAnd(bits, 0x8000), 16)), wide);
  }

  /// Rounds to nearest even by an addition that carries into the kept bits. Subnormal results are rounded by adding
  /// 1/2: the last place of that sum has the value of the last place of a subnormal half.
  Value* truncated_by_integers(Value* wide) {
    Value* bits = b_.CreateBitCast(wide, int32(wide));
    Value* magnitude = b_.CreateAnd(bits, 0x7fffffff);
    Value* odd = b_.CreateAnd(b_.CreateLShr(magnitude, 13), 1);
    Value* carried = b_.CreateAdd(b_.CreateAdd(magnitude, odd), number(bits, 0xfff - (112U << 23)));
    Value* normal = b_.CreateLShr(carried, 13);
    Value* shifted = b_.CreateFAdd(b_.CreateBitCast(magnitude, wide->getType()), ConstantFP::get(wide->getType(), 0.5));
    Value* subnormal = b_.CreateSub(b_.CreateBitCast(shifted, bits->getType()), number(bits, 0x3f000000));
    Value* quiet = b_.CreateOr(b_.CreateAnd(b_.CreateLShr(magnitude, 13), 0x3ff), 0x7e00);
    Value* nan = b_.CreateICmpUGT(magnitude, number(bits, 0x7f800000));
    Value* large = b_.CreateSelect(nan, quiet, number(bits, 0x7c00));
    Value* small = b_.CreateICmpULT(magnitude, number(bits, 113U << 23));
    Value* finite = b_.CreateSelect(small, subnormal, normal);
    Value* value = b_.CreateSelect(b_.CreateICmpUGE(magnitude, number(bits, 143U << 23)), large, finite);
    value = b_.CreateOr(value, b_.CreateAnd(b_.CreateLShr(bits, 16), 0x8000));
    return b_.CreateBitCast(b_.CreateTrunc(value, type(b_.getInt16Ty(), wide)), type(b_.getHalfTy(), wide));
  }

  /// The one with an odd encoding of the two floats around an inexact double. It lies on the same side of every half,
  /// and of every tie between halves, as the double.
  Value* to_odd(Value* x) {
    Value* near = b_.CreateFPTrunc(x, type(b_.getFloatTy(), x));
    Value* bits = b_.CreateBitCast(near, int32(x));
    Value* got = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, b_.CreateFPExt(near, x->getType()));
    Value* wanted = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
    Value* above = b_.CreateFCmpOGT(got, wanted);
    Value* even = b_.CreateICmpEQ(b_.CreateAnd(bits, 1), number(bits, 0));
    return neighbour(bits, b_.CreateAnd(b_.CreateFCmpONE(got, wanted), even), above);
  }

  /// The float with these bits, or where `moved` its neighbour: the one toward zero if `down`, else away from zero.
  Value* neighbour(Value* bits, Value* moved, Value* down) {
    Value* step = b_.CreateSelect(down, Constant::getAllOnesValue(bits->getType()), number(bits, 1));
    Value* stepped = b_.CreateSelect(moved, b_.CreateAdd(bits, step), bits);
    return b_.CreateBitCast(stepped, type(b_.getFloatTy(), bits));
  }

  /// The product is exact in float; the sum and its error are computed by Knuth's TwoSum. For NaN and infinite sums the
  /// error is NaN, so that no comparison with it holds.
  Value* fused(const llvm::IntrinsicInst& call) {
    Value* x = extended(call.getArgOperand(0));
    Value* y = extended(call.getArgOperand(1));
    Value* addend = extended(call.getArgOperand(2));
    if (fused_to_odd_ != nullptr && call.getType()->isVectorTy()) return truncated(fused_to_odd_(b_, x, y, addend));
    Value* product = b_.CreateFMul(x, y);
    Value* sum = b_.CreateFAdd(product, addend);
    Value* part = b_.CreateFSub(sum, product);
    Value* error = b_.CreateFAdd(b_.CreateFSub(product, b_.CreateFSub(sum, part)), b_.CreateFSub(addend, part));
    Value* bits = b_.CreateBitCast(sum, int32(sum));
    Value* zero = Constant::getNullValue(sum->getType());
    Value* even = b_.CreateICmpEQ(b_.CreateAnd(bits, 1), number(bits, 0));
    Value* inexact = b_.CreateAnd(b_.CreateFCmpONE(error, zero), even);
    Value* down = b_.CreateXor(b_.CreateFCmpOGT(error, zero), b_.CreateFCmpOGT(sum, zero));
    return truncated(neighbour(bits, inexact, down));
  }

  llvm::IRBuilder<> b_;
  bool converts_;                                          ///< the processor has instructions between half and float
  decltype(TargetOperations::fused_to_odd) fused_to_odd_;  ///< of vectors; null: there are no such instructions
};

/// An atomic operation with arithmetic of half becomes a compare-and-exchange loop, so that its arithmetic is an
/// instruction that can be replaced.
bool expand_atomics(llvm::Function& function) {
  llvm::SmallVector<llvm::AtomicRMWInst*, 4> atomics;
  for (Instruction& i : llvm::instructions(function))
    if (auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&i); atomic != nullptr && is_half(atomic))
      atomics.push_back(atomic);
  const auto exchange = [](llvm::IRBuilderBase& b, Value* address, Value* expected, Value* desired, llvm::Align align,
                           llvm::AtomicOrdering order, llvm::SyncScope::ID scope, Value*& success, Value*& seen,
                           Instruction*) {
    Type* bits = b.getInt16Ty();
    Value* pair = b.CreateAtomicCmpXchg(address, b.CreateBitCast(expected, bits), b.CreateBitCast(desired, bits), align,
                                        order, llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(order), scope);
    seen = b.CreateBitCast(b.CreateExtractValue(pair, 0), expected->getType());
    success = b.CreateExtractValue(pair, 1);
  };
  for (llvm::AtomicRMWInst* atomic : atomics) llvm::expandAtomicRMWToCmpXchg(atomic, exchange);
  return !atomics.empty();
}

}  // namespace

bool lower_half(llvm::Module& module, Isa isa) {
  HalfLowering lowering(module.getContext(), isa);
  llvm::SmallVector<Instruction*, 32> candidates;
  bool atomics = false;
  for (llvm::Function& function : module) {
    atomics |= expand_atomics(function);
    for (Instruction& i : llvm::instructions(function))
      if (is_half(&i) || llvm::any_of(i.operands(), [](const llvm::Use& use) { return is_half(use.get()); }))
        candidates.push_back(&i);
  }
  for (Instruction* i : candidates) {
    Value* made = lowering.replacement(*i);
    if (made == nullptr) continue;
    i->replaceAllUsesWith(made);
    i->eraseFromParent();
  }
  return atomics || !candidates.empty();
}

llvm::PreservedAnalyses LowerHalfPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  return unless_changed(lower_half(module, context_of(module, analyses).options.isa));
}

}  // namespace lanewise

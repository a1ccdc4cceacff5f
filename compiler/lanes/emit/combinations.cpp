// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/combinations.h"

#include "compiler/base/marks.h"

namespace lanewise::spmd {

using llvm::AtomicRMWInst;
using llvm::Constant;
using llvm::ConstantFP;
using llvm::ConstantInt;
using llvm::Value;

Constant* neutral_of(const AtomicRMWInst& atomic) {
  llvm::Type* type = atomic.getType();
  if (!type->isIntegerTy() && !type->isHalfTy() && !type->isFloatTy() && !type->isDoubleTy()) return nullptr;
  const unsigned bits = type->getScalarSizeInBits();
  switch (atomic.getOperation()) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
    case AtomicRMWInst::Or:
    case AtomicRMWInst::Xor:
    case AtomicRMWInst::UMax:
      return Constant::getNullValue(type);
    case AtomicRMWInst::And:
    case AtomicRMWInst::UMin:
      return Constant::getAllOnesValue(type);
    case AtomicRMWInst::Max:
      return ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits));
    case AtomicRMWInst::Min:
      return ConstantInt::get(type, llvm::APInt::getSignedMaxValue(bits));
    case AtomicRMWInst::FAdd:
      return ConstantFP::getNegativeZero(type);
    case AtomicRMWInst::FSub:
      return Constant::getNullValue(type);
    case AtomicRMWInst::FMin:
    case AtomicRMWInst::FMax:
      return ConstantFP::getNaN(type);
    default:
      return nullptr;
  }
}

Value* combine(llvm::IRBuilder<>& b, AtomicRMWInst::BinOp operation, Value* left, Value* right) {
  switch (operation) {
    case AtomicRMWInst::Add:
      return b.CreateAdd(left, right);
    case AtomicRMWInst::Sub:
      return b.CreateSub(left, right);
    case AtomicRMWInst::And:
      return b.CreateAnd(left, right);
    case AtomicRMWInst::Or:
      return b.CreateOr(left, right);
    case AtomicRMWInst::Xor:
      return b.CreateXor(left, right);
    case AtomicRMWInst::Max:
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, left, right);
    case AtomicRMWInst::Min:
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, left, right);
    case AtomicRMWInst::UMax:
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, left, right);
    case AtomicRMWInst::UMin:
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, right);
    case AtomicRMWInst::FAdd:
      return b.CreateFAdd(left, right);
    case AtomicRMWInst::FSub:
      return b.CreateFSub(left, right);
    case AtomicRMWInst::FMin:
      return b.CreateMinNum(left, right);
    default:
      return b.CreateMaxNum(left, right);
  }
}

AtomicRMWInst::BinOp combination_of(AtomicRMWInst::BinOp operation) {
  if (operation == AtomicRMWInst::Sub) return AtomicRMWInst::Add;
  return operation == AtomicRMWInst::FSub ? AtomicRMWInst::FAdd : operation;
}

bool is_float_sum(AtomicRMWInst::BinOp operation) {
  return operation == AtomicRMWInst::FAdd || operation == AtomicRMWInst::FSub;
}

Value* reduce(llvm::IRBuilder<>& b, AtomicRMWInst::BinOp operation, Value* values) {
  if (is_float_sum(operation)) {
    const llvm::IRBuilder<>::FastMathFlagGuard guard(b);
    llvm::FastMathFlags any_order = b.getFastMathFlags();
    any_order.setAllowReassoc();
    b.setFastMathFlags(any_order);
    return b.CreateFAddReduce(ConstantFP::getNegativeZero(values->getType()->getScalarType()), values);
  }
  switch (operation) {
    case AtomicRMWInst::And:
      return b.CreateAndReduce(values);
    case AtomicRMWInst::Or:
      return b.CreateOrReduce(values);
    case AtomicRMWInst::Xor:
      return b.CreateXorReduce(values);
    case AtomicRMWInst::Max:
    case AtomicRMWInst::UMax:
      return b.CreateIntMaxReduce(values, operation == AtomicRMWInst::Max);
    case AtomicRMWInst::Min:
    case AtomicRMWInst::UMin:
      return b.CreateIntMinReduce(values, operation == AtomicRMWInst::Min);
    default:
      return b.CreateAddReduce(values);
  }
}

bool in_any_order(const AtomicRMWInst& atomic) {
  if (!atomic.getType()->isFloatingPointTy()) return true;
  return is_float_sum(atomic.getOperation()) && atomic.getFunction()->hasFnAttribute(marks::kReassociates);
}

}  // namespace lanewise::spmd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/check/definedness.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace lanewise {

using llvm::IRBuilder;
using llvm::Type;
using llvm::Value;

Type* ShadowValues::type_of(Type& type) {
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type)) {
    Type* element = type_of(*vector->getElementType());
    return element == nullptr ? nullptr : llvm::FixedVectorType::get(element, vector->getNumElements());
  }
  if (type.isPointerTy()) return Type::getInt64Ty(type.getContext());
  if (!type.isIntegerTy() && !type.isFloatingPointTy()) return nullptr;
  return Type::getIntNTy(type.getContext(), static_cast<unsigned>(type.getPrimitiveSizeInBits().getFixedValue()));
}

Value* ShadowValues::of(Value& value) {
  Type* type = type_of(*value.getType());
  if (type == nullptr) return nullptr;
  if (llvm::isa<llvm::UndefValue>(value)) return llvm::Constant::getAllOnesValue(type);
  if (const auto found = shadows_.find(&value); found != shadows_.end()) return found->second;
  return llvm::Constant::getNullValue(type);
}

Value* ShadowValues::any(IRBuilder<>& b, Value* shadow) {
  if (shadow == nullptr) return nullptr;
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(shadow); constant != nullptr && constant->isNullValue())
    return nullptr;
  Value* set = b.CreateICmpNE(shadow, llvm::Constant::getNullValue(shadow->getType()));
  return set->getType()->isVectorTy() ? b.CreateOrReduce(set) : set;
}

Value* ShadowValues::of_operands(IRBuilder<>& b, llvm::Instruction& i) {
  Type* type = type_of(*i.getType());
  if (type == nullptr) return nullptr;
  // Operations on vectors are exact by lane where all operands have as many.
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  Value* by_lane = nullptr;
  Value* all = nullptr;
  for (Value* operand : i.operands()) {
    Value* shadow = of(*operand);
    const auto* lanes = shadow == nullptr ? nullptr : llvm::dyn_cast<llvm::FixedVectorType>(shadow->getType());
    if (vector != nullptr && lanes != nullptr && lanes->getNumElements() == vector->getNumElements()) {
      Value* set = b.CreateICmpNE(shadow, llvm::Constant::getNullValue(shadow->getType()));
      by_lane = by_lane == nullptr ? set : b.CreateOr(by_lane, set);
    } else if (Value* set = any(b, shadow)) {
      all = all == nullptr ? set : b.CreateOr(all, set);
    }
  }
  Value* result = llvm::Constant::getNullValue(type);
  if (by_lane != nullptr) result = b.CreateSExt(by_lane, type);
  return all == nullptr ? result : b.CreateSelect(all, llvm::Constant::getAllOnesValue(type), result);
}

Value* ShadowValues::of_binary(IRBuilder<>& b, llvm::BinaryOperator& i) {
  Value* left = i.getOperand(0);
  Value* right = i.getOperand(1);
  Value* a = of(*left);
  Value* c = of(*right);
  switch (i.getOpcode()) {
    case llvm::Instruction::And:  // 0 on one side defines the result
      return b.CreateOr(b.CreateAnd(a, c), b.CreateOr(b.CreateAnd(a, right), b.CreateAnd(left, c)));
    case llvm::Instruction::Or:
      return b.CreateOr(b.CreateAnd(a, c),
                        b.CreateOr(b.CreateAnd(a, b.CreateNot(right)), b.CreateAnd(b.CreateNot(left), c)));
    case llvm::Instruction::Xor:
      return b.CreateOr(a, c);
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr: {
      Value* amount = b.CreateSExt(b.CreateICmpNE(c, llvm::Constant::getNullValue(c->getType())), a->getType());
      return b.CreateOr(b.CreateBinOp(i.getOpcode(), a, right), amount);
    }
    default:
      return of_operands(b, i);
  }
}

Value* ShadowValues::of_cast(IRBuilder<>& b, llvm::CastInst& i) {
  Value* from = of(*i.getOperand(0));
  Type* type = type_of(*i.getType());
  if (from == nullptr || type == nullptr) return type == nullptr ? nullptr : llvm::Constant::getNullValue(type);
  switch (i.getOpcode()) {
    case llvm::Instruction::Trunc:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt:
      return b.CreateCast(i.getOpcode(), from, type);
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
      return b.CreateZExtOrTrunc(from, type);
    case llvm::Instruction::BitCast:
      return b.CreateBitCast(from, type);
    case llvm::Instruction::AddrSpaceCast:
      return from;
    default:
      return of_operands(b, i);
  }
}

Value* ShadowValues::of_select(IRBuilder<>& b, llvm::SelectInst& i) {
  Value* yes = of(*i.getTrueValue());
  if (yes == nullptr) return nullptr;
  Value* chosen = b.CreateSelect(i.getCondition(), yes, of(*i.getFalseValue()));
  Value* unknown = any(b, of(*i.getCondition()));
  if (unknown == nullptr) return chosen;
  return b.CreateSelect(unknown, llvm::Constant::getAllOnesValue(yes->getType()), chosen);
}

/// Lanes that the shuffle leaves open, or takes from nothing, are padding.
Value* ShadowValues::of_shuffle(IRBuilder<>& b, llvm::ShuffleVectorInst& i) {
  const auto operand = [&](unsigned number) -> Value* {
    Value* shadow = of(*i.getOperand(number));
    const bool nothing = shadow != nullptr && llvm::isa<llvm::UndefValue>(i.getOperand(number));
    return nothing ? llvm::Constant::getNullValue(shadow->getType()) : shadow;
  };
  Value* first = operand(0);
  if (first == nullptr) return nullptr;
  llvm::SmallVector<int, 16> mask(i.getShuffleMask());
  llvm::SmallVector<llvm::Constant*, 16> kept;
  Type* element = first->getType()->getScalarType();
  for (int& lane : mask) {
    kept.push_back(lane < 0 ? llvm::Constant::getNullValue(element) : llvm::Constant::getAllOnesValue(element));
    lane = std::max(lane, 0);
  }
  return b.CreateAnd(b.CreateShuffleVector(first, operand(1), mask), llvm::ConstantVector::get(kept));
}

Value* ShadowValues::make(IRBuilder<>& b, llvm::Instruction& i) {
  if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&i)) return of_binary(b, *binary);
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&i)) return of_cast(b, *cast);
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&i)) return of_select(b, *select);
  if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&i)) return of_shuffle(b, *shuffle);
  if (llvm::isa<llvm::FreezeInst>(i)) return of(*i.getOperand(0));
  if (auto* take = llvm::dyn_cast<llvm::ExtractElementInst>(&i))
    if (Value* shadow = of(*take->getVectorOperand())) return b.CreateExtractElement(shadow, take->getIndexOperand());
  if (auto* put = llvm::dyn_cast<llvm::InsertElementInst>(&i))
    if (Value* shadow = of(*put->getOperand(0)))
      return b.CreateInsertElement(shadow, of(*put->getOperand(1)), put->getOperand(2));
  if (llvm::isa<llvm::CmpInst, llvm::GetElementPtrInst, llvm::UnaryOperator>(i)) return of_operands(b, i);
  // A call computes its result from its operands, if it reads nothing else.
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i); call != nullptr && call->doesNotAccessMemory())
    return of_operands(b, i);
  return nullptr;
}

void ShadowValues::visit(llvm::Instruction& i) {
  Type* type = type_of(*i.getType());
  if (type == nullptr) return;
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&i)) {
    IRBuilder<> b(phi);
    return set(i, b.CreatePHI(type, phi->getNumIncomingValues()));
  }
  if (i.isTerminator()) return;
  IRBuilder<> b(i.getNextNode());
  b.SetCurrentDebugLocation(i.getDebugLoc());
  if (Value* shadow = make(b, i)) set(i, shadow);
}

void ShadowValues::complete(llvm::PHINode& phi) {
  auto* shadow = llvm::dyn_cast_or_null<llvm::PHINode>(of(phi));
  if (shadow == nullptr) return;
  for (unsigned n = 0; n < phi.getNumIncomingValues(); ++n)
    shadow->addIncoming(of(*phi.getIncomingValue(n)), phi.getIncomingBlock(n));
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/instructions.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "compiler/base/marks.h"
#include "compiler/builtins/lane_functions.h"
#include "compiler/builtins/machine_operations.h"
#include "compiler/builtins/packets.h"
#include "compiler/builtins/sub_group_operations.h"
#include "compiler/lanes/analysis/components.h"
#include "compiler/lanes/emit/arithmetic.h"
#include "compiler/lanes/emit/components.h"
#include "compiler/lanes/emit/per_lane.h"
#include "compiler/lanes/emit/two_forms.h"

namespace lanewise::spmd {

using llvm::ConstantInt;
using llvm::Instruction;
using llvm::Value;

void Instructions::emit(const llvm::BasicBlock& block, Value* mask) {
  fields_.begin(block, mask);
  for (const Instruction& i : block) {
    if (llvm::isa<llvm::PHINode>(i) || i.isTerminator()) continue;
    b_.SetCurrentDebugLocation(i.getDebugLoc());
    emit(i, mask);
  }
}

void Instructions::emit(const Instruction& i, Value* mask) {
  if (fields_.emit(i)) return;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i); load != nullptr && load->isSimple())
    return loads_.emit(*load, mask);
  if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&i)) return atomics_.emit(*atomic, mask);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
      load != nullptr && load->isAtomic() && s_.shape(load->getPointerOperand()).is_uniform())
    return atomics_.emit(*load, mask);
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i); store != nullptr && stores_.has_vector_form(*store))
    return stores_.emit(*store, mask);
  if (const llvm::CallInst* take = packets::take(i)) return atomics_.emit_take(*take, mask);
  if (llvm::isa<llvm::FenceInst>(i)) {
    b_.Insert(i.clone());
    return;
  }
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
      intrinsic != nullptr && (intrinsic->isAssumeLikeIntrinsic()))
    return;
  if (const llvm::CallInst* call = lane_call(i)) {
    if (i.getType()->isVoidTy() || !s_.shape(call).is_uniform()) return emit_lane_function(*call, mask);
    if (mask != nullptr && !masks_.never_empty(mask)) return emit_shared_read(*call, mask);
  }
  if (sub_group_call(i)) return sub_groups_.emit(llvm::cast<llvm::CallInst>(i), mask);
  if (i.hasMetadata(marks::kLane)) {
    s_.set_base(i, ConstantInt::get(i.getType(), 0));
    return;
  }
  const Shape shape = s_.shapes.of(i);
  if (!i.getType()->isVoidTy() && shape.has_base()) {
    emit_scalar(i, mask, shape);
    if (!shape.checked) return;
  }
  emit_vector(i, mask);
}

/// Lane 0 of a uniform or strided value. Lane 0 may be inactive, so flags such as nsw may not hold for it.
void Instructions::emit_scalar(const Instruction& i, Value* mask, const Shape& shape) {
  if (shape.kind == Kind::strided && i.getOpcode() == Instruction::Or) {
    // An `or` of disjoint bits: they are disjoint only in active lanes; in others only the sum keeps the stride.
    Value* total = b_.CreateAdd(s_.base(i.getOperand(0)), s_.base(i.getOperand(1)), i.getName());
    s_.set(i, {.base = total, .parts = {}, .holds = shape.checked ? holds_of(i) : nullptr});
    return;
  }
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&i);
      address != nullptr && s_.shapes.interleaved(i)) {
    s_.set_base(i, interleaved_address(*address, false));
    return;
  }
  Instruction* copy = i.clone();
  for (llvm::Use& operand : copy->operands())
    if (!llvm::isa<llvm::Function>(operand.get())) operand.set(s_.base(operand.get()));
  if (mask != nullptr) {
    copy->dropPoisonGeneratingAnnotations();
    if (i.isIntDivRem() && !llvm::isa<ConstantInt>(copy->getOperand(1)))
      copy->setOperand(1, b_.CreateSelect(masks_.any(mask), copy->getOperand(1), ConstantInt::get(i.getType(), 1)));
  }
  b_.Insert(copy, i.getName());
  s_.set(i, {.base = copy, .parts = {}, .holds = shape.checked ? holds_of(i) : nullptr});
}

/// Whether base and stride describe a checked value: those of its operands do, and what an extension extends does not
/// wrap.
Value* Instructions::holds_of(const Instruction& i) {
  Value* holds = nullptr;
  for (const Value* operand : i.operands()) {
    Value* of_operand = s_.holds(operand);
    if (of_operand == nullptr) continue;
    holds = holds == nullptr ? of_operand : b_.CreateAnd(holds, of_operand);
  }
  const Shape from = s_.shape(i.getOperand(0));
  if (!llvm::isa<llvm::ZExtInst, llvm::SExtInst>(i) || from.bounded) return holds != nullptr ? holds : b_.getTrue();
  const bool is_signed = llvm::isa<llvm::SExtInst>(i);
  Value* first = s_.base(i.getOperand(0));
  const unsigned bits = first->getType()->getIntegerBitWidth();
  const __int128 reach = static_cast<__int128>(from.stride) * (s_.width - 1);
  const __int128 low = is_signed ? -(static_cast<__int128>(1) << (bits - 1)) : 0;
  const __int128 high = low + (static_cast<__int128>(1) << bits) - 1;
  const __int128 limit = reach >= 0 ? high - reach : low - reach;
  if (limit < low || limit > high) return b_.getFalse();
  const auto predicate = reach >= 0 ? (is_signed ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_ULE)
                                    : (is_signed ? llvm::CmpInst::ICMP_SGE : llvm::CmpInst::ICMP_UGE);
  Value* fits = b_.CreateICmp(
      predicate, first,
      ConstantInt::get(first->getType(), llvm::APInt(64, static_cast<std::uint64_t>(limit)).sextOrTrunc(bits)));
  return holds == nullptr ? fits : b_.CreateAnd(holds, fits);
}

void Instructions::emit_vector(const Instruction& i, Value* mask) {
  if (emit_components(s_, i)) return;
  Value* result = widened(i, mask);
  if (result == nullptr) {
    emit_per_lane(s_, i, mask);
    return;
  }
  result->setName(i.getName());
  s_.set_parts(i, result);
}

/// The vector form of an instruction on scalars; null if it has none.
Value* Instructions::widened(const Instruction& i, Value* mask) {
  if (i.getType()->isVectorTy() || i.getType()->isStructTy()) return nullptr;
  for (const Value* operand : i.operands())
    if (operand->getType()->isVectorTy() || operand->getType()->isStructTy()) return nullptr;
  const auto like_original = [&](Instruction* made) -> Value* {
    made->copyIRFlags(&i);
    return llvm::propagateMetadata(made, {const_cast<Instruction*>(&i)});
  };
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&i)) {
    if (binary->isIntDivRem())
      if (Value* result = widened_division(s_, *binary, mask)) return result;
    Value* divisor = s_.vector(i.getOperand(1));
    if (binary->isIntDivRem() && mask != nullptr && !llvm::isa<ConstantInt>(i.getOperand(1)))
      divisor = b_.CreateSelect(mask, divisor, ConstantInt::get(divisor->getType(), 1));
    Value* dividend = s_.vector(i.getOperand(0));
    return like_original(b_.Insert(llvm::BinaryOperator::Create(binary->getOpcode(), dividend, divisor)));
  }
  if (llvm::isa<llvm::UnaryOperator>(i))
    return like_original(b_.Insert(
        llvm::UnaryOperator::Create(llvm::cast<llvm::UnaryOperator>(i).getOpcode(), s_.vector(i.getOperand(0)))));
  if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&i)) {
    Value* left = s_.vector(i.getOperand(0));
    Value* right = s_.vector(i.getOperand(1));
    return like_original(b_.Insert(llvm::CmpInst::Create(compare->getOpcode(), compare->getPredicate(), left, right)));
  }
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&i)) {
    const Value* c = select->getCondition();
    Value* condition = s_.shape(c).is_uniform() ? s_.base(c) : s_.vector(c);
    Value* yes = s_.vector(select->getTrueValue());
    Value* no = s_.vector(select->getFalseValue());
    return like_original(b_.Insert(llvm::SelectInst::Create(condition, yes, no)));
  }
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&i)) {
    if (Value* result = converted_id(s_, *cast)) return result;
    return like_original(
        b_.Insert(llvm::CastInst::Create(cast->getOpcode(), s_.vector(i.getOperand(0)), b_.wide(i.getType()))));
  }
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&i)) {
    if (s_.shapes.interleaved(i) != nullptr) return interleaved_address(*address, true);
    llvm::SmallVector<Value*> indices;
    for (const Value* index : address->indices())
      indices.push_back(llvm::isa<ConstantInt>(index) ? const_cast<Value*>(index) : s_.vector(index));
    Value* pointer = s_.vector(address->getPointerOperand());
    return like_original(b_.Insert(llvm::GetElementPtrInst::Create(address->getSourceElementType(), pointer, indices)));
  }
  if (llvm::isa<llvm::FreezeInst>(i)) return b_.CreateFreeze(s_.vector(i.getOperand(0)));
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&i)) return widened_call(*call);
  return nullptr;
}

/// An address in an interleaved private variable, where each element is a row of lanes (private_layout.h).
Value* Instructions::interleaved_address(const llvm::GetElementPtrInst& address, bool all_lanes) {
  llvm::Type* type = b_.getInt64Ty();
  if (all_lanes) type = b_.wide(type);
  Value* offset = llvm::Constant::getNullValue(type);
  for (auto step = llvm::gep_type_begin(address); step != llvm::gep_type_end(address); ++step) {
    std::uint64_t bytes = 0;
    Value* times = llvm::ConstantInt::get(type, 1);
    if (llvm::StructType* structure = step.getStructTypeOrNull()) {
      const auto field = static_cast<unsigned>(llvm::cast<ConstantInt>(step.getOperand())->getZExtValue());
      bytes = s_.layout.getStructLayout(structure)->getElementOffset(field).getFixedValue();
    } else {
      bytes = step.getSequentialElementStride(s_.layout).getFixedValue();
      Value* index = all_lanes ? s_.vector(step.getOperand()) : s_.base(step.getOperand());
      times = b_.CreateSExtOrTrunc(index, type);
    }
    offset = b_.CreateAdd(offset, b_.CreateMul(times, llvm::ConstantInt::get(type, bytes * s_.width)));
  }
  const Value* pointer = address.getPointerOperand();
  return b_.CreateGEP(b_.getInt8Ty(), all_lanes ? s_.vector(pointer) : s_.base(pointer), offset);
}

/// The same result for all lanes. Where no lane is active, the operands are whatever the last active ones left, and
/// there is nothing to read there.
void Instructions::emit_shared_read(const llvm::CallInst& call, Value* mask) {
  constexpr FormNames kRead{"read", "read.none", "read.done"};
  const auto read = [&] {
    auto* copy = llvm::cast<llvm::CallInst>(call.clone());
    for (llvm::Use& argument : copy->args()) argument.set(s_.base(argument.get()));
    return Parts{b_.Insert(copy, call.getName())};
  };
  const auto nothing = [&] { return Parts{llvm::Constant::getNullValue(call.getType())}; };
  s_.set_base(call, emit_either(s_, masks_.any(mask), kRead, read, nothing).front());
}

/// Its first parameter is the same for all lanes, also where it comes from a level of the body.
void Instructions::emit_lane_function(const llvm::CallInst& call, Value* mask) {
  llvm::SmallVector<Value*> operands{s_.base(call.getArgOperand(0))};
  operands.push_back(mask != nullptr ? mask : llvm::Constant::getAllOnesValue(b_.wide(b_.getInt1Ty())));
  for (const Value* argument : llvm::drop_begin(call.args()))
    for (unsigned c = 0; c < components(*argument->getType()); ++c) operands.push_back(s_.vector(argument, c));
  Value* all = b_.CreateCall(&wide_lane_function(*call.getCalledFunction(), s_.width), operands);
  if (call.getType()->isVoidTy()) return;
  llvm::SmallVector<Value*, 1> parts;
  for (unsigned c = 0; c < components(*call.getType()); ++c) parts.push_back(b_.CreateExtractValue(all, c));
  s_.set_parts(call, parts);
}

Value* Instructions::widened_call(const llvm::CallInst& call) {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (Value* result = saturated_conversion(s_, call)) return result;
  if (const llvm::Function* callee = call.getCalledFunction(); callee != nullptr && is_machine_operation(*callee)) {
    llvm::SmallVector<Value*> arguments;
    for (const Value* argument : call.args())
      arguments.push_back(argument->getType()->isPointerTy() ? s_.base(argument) : s_.vector(argument));
    return b_.CreateCall(&wide_machine_operation(*callee, s_.width), arguments);
  }
  if (!llvm::isTriviallyVectorizable(id)) return nullptr;
  llvm::SmallVector<llvm::Type*> types;
  if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1, &s_.target)) types.push_back(b_.wide(call.getType()));
  llvm::SmallVector<Value*> arguments;
  for (unsigned k = 0; k < call.arg_size(); ++k) {
    const Value* argument = call.getArgOperand(k);
    const bool scalar = llvm::isVectorIntrinsicWithScalarOpAtArg(id, k, &s_.target);
    if (scalar && !s_.shape(argument).is_uniform()) return nullptr;
    arguments.push_back(scalar ? s_.base(argument) : s_.vector(argument));
    if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(k), &s_.target))
      types.push_back(arguments.back()->getType());
  }
  llvm::Function* wide_function = llvm::Intrinsic::getOrInsertDeclaration(s_.function.getParent(), id, types);
  llvm::CallInst* made = b_.CreateCall(wide_function, arguments);
  if (llvm::isa<llvm::FPMathOperator>(call)) made->copyFastMathFlags(&call);
  return made;
}

}  // namespace lanewise::spmd

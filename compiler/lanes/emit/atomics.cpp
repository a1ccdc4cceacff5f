// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/atomics.h"

#include <llvm/IR/Instructions.h>

#include "compiler/base/address_spaces.h"
#include "compiler/base/lane_reductions.h"
#include "compiler/base/marks.h"
#include "compiler/base/transformations.h"
#include "compiler/builtins/packets.h"
#include "compiler/lanes/emit/combinations.h"
#include "compiler/lanes/emit/lane_loop.h"
#include "compiler/lanes/emit/per_lane.h"
#include "compiler/lanes/emit/two_forms.h"

namespace lanewise::spmd {

using llvm::AtomicRMWInst;
using llvm::BasicBlock;
using llvm::Constant;
using llvm::ConstantInt;
using llvm::Value;

namespace {

constexpr FormNames kForms{"together", "apart", "atomic.done"};

bool is_sum(AtomicRMWInst::BinOp operation) {
  return operation == AtomicRMWInst::Add || operation == AtomicRMWInst::Sub;
}

/// For each lane the combination of its value and those of all lanes before it.
Value* up_to_each(llvm::IRBuilder<>& b, AtomicRMWInst::BinOp operation, Value* values, Value* neutral) {
  return scanned_lanes(b, values, neutral,
                       [&](Value* l, Value* r) { return combine(b, combination_of(operation), l, r); });
}

}  // namespace

void Atomics::emit(const AtomicRMWInst& atomic, Value* mask) {
  const Value* pointer = atomic.getPointerOperand();
  const Shape shape = s_.shape(pointer);
  const bool all_differ = shape.kind == Kind::strided && !shape.checked;
  if (neutral_of(atomic) == nullptr || all_differ) return emit_per_lane(s_, atomic, mask);
  Parts result;
  if (shape.is_uniform()) {
    const auto all = [&] { return Parts{together(atomic, s_.base(pointer), mask)}; };
    const auto nothing = [&] { return Parts{Constant::getNullValue(b_.wide(atomic.getType()))}; };
    result = masks_.never_empty(mask) ? all() : emit_either(s_, masks_.any(mask), kForms, all, nothing);
  } else {
    Value* addresses = s_.vector(pointer);
    Value* first = first_active(addresses, mask);
    Value* equal = b_.CreateICmpEQ(addresses, b_.splat(first));
    if (mask != nullptr) equal = b_.CreateOr(equal, b_.CreateNot(mask));
    Value* same = b_.CreateAndReduce(b_.CreateFreeze(equal));
    if (!masks_.never_empty(mask)) same = b_.CreateAnd(same, masks_.any(mask));
    const auto apart = [&] {
      if (atomic.use_empty()) {
        emit_lane_loop(s_, atomic, mask);
        return Parts{Constant::getNullValue(b_.wide(atomic.getType()))};
      }
      emit_per_lane(s_, atomic, mask);
      return Parts{s_.vector(&atomic)};
    };
    result = emit_either(s_, same, kForms, [&] { return Parts{together(atomic, first, mask)}; }, apart);
  }
  s_.set_parts(atomic, result);
}

void Atomics::emit(const llvm::LoadInst& load, Value* mask) {
  Value* pointer = s_.base(load.getPointerOperand());
  if (!masks_.never_empty(mask))
    pointer = b_.CreateSelect(masks_.any(mask), pointer,
                              s_.dummy(load.getType(), pointer->getType()->getPointerAddressSpace()));
  llvm::Instruction* once = load.clone();
  once->setOperand(0, pointer);
  s_.set_parts(load, b_.splat(b_.Insert(once, load.getName())));
}

/// The value of the first active lane; if none is active, that of the last lane.
Value* Atomics::first_active(Value* values, Value* mask) {
  if (mask == nullptr) return b_.CreateExtractElement(values, std::uint64_t{0});
  Value* bits = b_.CreateBitCast(mask, b_.getIntNTy(s_.width));
  bits = b_.CreateOr(bits, ConstantInt::get(bits->getType(), llvm::APInt::getSignMask(s_.width)));
  Value* number = b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, b_.getTrue());
  return b_.CreateExtractElement(values, b_.CreateZExt(number, b_.getInt64Ty()));
}

/// Emits the operation of all active lanes, at least one, at one address; returns what each of them found there.
Value* Atomics::together(const AtomicRMWInst& atomic, Value* pointer, Value* mask) {
  if (!in_any_order(atomic)) return one_by_one(atomic, pointer, mask);
  const bool same_value = s_.shape(atomic.getValOperand()).is_uniform();
  return is_sum(atomic.getOperation()) && same_value ? counted(atomic, pointer, mask) : combined(atomic, pointer, mask);
}

/// For sums in which all lanes add the same value.
Value* Atomics::counted(const AtomicRMWInst& atomic, Value* pointer, Value* mask) {
  tally(Transformation::count_atomics);
  llvm::Type* type = atomic.getType();
  Value* value = s_.base(atomic.getValOperand());
  Value* old = perform(b_, atomic, pointer, b_.CreateMul(value, masks_.count(mask, type)));
  if (atomic.use_empty()) return Constant::getNullValue(b_.wide(type));
  Value* before = b_.CreateMul(masks_.lanes_before(mask, type), b_.splat(value));
  return combine(b_, atomic.getOperation(), b_.splat(old), before);
}

Value* Atomics::combined(const AtomicRMWInst& atomic, Value* pointer, Value* mask) {
  tally(Transformation::combine_atomics);
  Value* neutral = b_.splat(neutral_of(atomic));
  Value* values = s_.vector(atomic.getValOperand());
  if (mask != nullptr) values = b_.CreateSelect(mask, values, neutral);
  const AtomicRMWInst::BinOp operation = atomic.getOperation();
  if (atomic.use_empty()) {
    perform(b_, atomic, pointer, reduce(b_, operation, values));
    return Constant::getNullValue(values->getType());
  }
  Value* up_to = up_to_each(b_, operation, values, neutral);
  Value* old = perform(b_, atomic, pointer, b_.CreateExtractElement(up_to, s_.width - 1));
  return combine(b_, operation, b_.splat(old), shifted_lanes(b_, up_to, 1, neutral));
}

/// Operations that round, or that the processor does not have: in the order of the lanes, repeated until no other
/// thread has changed the value meanwhile. Local memory belongs to this thread.
Value* Atomics::one_by_one(const AtomicRMWInst& atomic, Value* pointer, Value* mask) {
  tally(Transformation::exchange_atomics);
  llvm::Type* type = atomic.getType();
  llvm::Type* bits = b_.getIntNTy(type->getScalarSizeInBits());
  Value* values = s_.vector(atomic.getValOperand());
  if (mask != nullptr) values = b_.CreateSelect(mask, values, b_.splat(neutral_of(atomic)));
  llvm::SmallVector<Value*> found;
  const auto all_lanes = [&](Value* old) {
    for (unsigned l = 0; l < s_.width; ++l) {
      found.push_back(old);
      old = combine(b_, atomic.getOperation(), old, b_.CreateExtractElement(values, l));
    }
    return old;
  };
  const bool exclusive = atomic.getPointerAddressSpace() == local_space;
  auto* first = b_.CreateAlignedLoad(bits, pointer, atomic.getAlign());
  if (exclusive) {
    Value* last = all_lanes(b_.CreateBitCast(first, type));
    b_.CreateAlignedStore(last, pointer, atomic.getAlign());
    return b_.from_lanes(found);
  }
  first->setAtomic(llvm::AtomicOrdering::Monotonic);
  BasicBlock* before = b_.GetInsertBlock();
  BasicBlock* loop = s_.new_block("exchange");
  BasicBlock* after = s_.new_block("exchanged");
  b_.CreateBr(loop);
  b_.SetInsertPoint(loop);
  llvm::PHINode* seen = b_.CreatePHI(bits, 2);
  Value* last = all_lanes(b_.CreateBitCast(seen, type));
  const llvm::AtomicOrdering order = atomic.getOrdering();
  Value* pair =
      b_.CreateAtomicCmpXchg(pointer, seen, b_.CreateBitCast(last, bits), atomic.getAlign(), order,
                             llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(order), atomic.getSyncScopeID());
  seen->addIncoming(first, before);
  seen->addIncoming(b_.CreateExtractValue(pair, 0), loop);
  b_.CreateCondBr(b_.CreateExtractValue(pair, 1), after, loop);
  b_.SetInsertPoint(after);
  return b_.from_lanes(found);
}

void Atomics::emit_take(const llvm::CallInst& call, Value* mask) {
  if (!llvm::all_of(call.args(), [&](const llvm::Use& use) { return s_.shape(use.get()).is_uniform(); }))
    return emit_per_lane(s_, call, mask);
  llvm::Type* type = call.getType();
  const auto together = [&] {
    auto* once = llvm::cast<llvm::CallInst>(call.clone());
    for (llvm::Use& use : once->args()) use.set(s_.base(use.get()));
    Value* times = call.getArgOperand(packets::times_argument);
    once->setArgOperand(packets::times_argument, masks_.count(mask, times->getType()));
    Value* all = b_.Insert(once, call.getName());
    Value* before = masks_.lanes_before(mask, type);
    Value* count = b_.CreateZExt(s_.base(call.getArgOperand(packets::count_argument)), type);
    Value* first = b_.CreateAnd(all, packets::kNumberMask);
    Value* number = b_.CreateAdd(b_.splat(first), b_.CreateMul(before, b_.splat(count)));
    Value* taken = b_.CreateICmpULT(before, b_.splat(b_.CreateLShr(all, packets::kNumberBits)));
    Value* flag = b_.splat(ConstantInt::get(type, packets::kNumberMask + 1));
    return Parts{b_.CreateOr(number, b_.CreateSelect(taken, flag, Constant::getNullValue(flag->getType())))};
  };
  const auto nothing = [&] { return Parts{Constant::getNullValue(b_.wide(type))}; };
  constexpr FormNames kTake{"take", "take.none", "taken"};
  s_.set_parts(call,
               masks_.never_empty(mask) ? together() : emit_either(s_, masks_.any(mask), kTake, together, nothing));
}

}  // namespace lanewise::spmd

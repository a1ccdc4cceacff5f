// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/sub_groups.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Instructions.h>

#include "compiler/base/lane_reductions.h"

namespace lanewise::spmd {

using llvm::CallInst;
using llvm::Constant;
using llvm::ConstantInt;
using llvm::Instruction;
using llvm::Value;

namespace {

/// `v` as a constant, if it is one after folding: the emitter clones instructions without folding them.
Constant* constant_of(Value* v, const llvm::DataLayout& layout, unsigned depth = 8) {
  if (auto* constant = llvm::dyn_cast<Constant>(v)) return constant;
  auto* i = llvm::dyn_cast<Instruction>(v);
  if (i == nullptr || depth == 0 || llvm::isa<llvm::PHINode>(i) || i->mayReadOrWriteMemory()) return nullptr;
  llvm::SmallVector<Constant*> operands;
  for (Value* operand : i->operands()) {
    Constant* constant = constant_of(operand, layout, depth - 1);
    if (constant == nullptr) return nullptr;
    operands.push_back(constant);
  }
  return llvm::ConstantFoldInstOperands(i, operands, layout);
}

/// Constant indices as the mask of a shuffle; an index that is not a lane's selects any value.
bool lane_numbers(const Constant& indices, unsigned width, llvm::SmallVectorImpl<int>& numbers) {
  for (unsigned l = 0; l < width; ++l) {
    const auto* index = llvm::dyn_cast_or_null<ConstantInt>(indices.getAggregateElement(l));
    if (index == nullptr) return false;
    numbers.push_back(static_cast<int>(index->getValue().urem(width)));
  }
  return true;
}

}  // namespace

void SubGroups::emit(const CallInst& call, Value* mask) {
  const SubGroupCall operation = *sub_group_call(call);
  Value* result = nullptr;
  switch (operation.what) {
    case SubGroupOperation::ballot:
      result = ballot(call, mask);
      break;
    case SubGroupOperation::broadcast:
      result = broadcast(call, mask);
      break;
    case SubGroupOperation::shuffle:
      result = shuffle(call);
      break;
    case SubGroupOperation::reduce:
      result = reduce(call, mask);
      break;
    case SubGroupOperation::clustered:
      result = clustered(call, mask);
      break;
    default:
      result = scan(call, mask);
      break;
  }
  if (operation.is_uniform())
    s_.set_base(call, result);
  else
    s_.set_parts(call, result);
}

Value* SubGroups::ballot(const CallInst& call, Value* mask) {
  const Value* predicate = call.getArgOperand(0);
  Value* chosen = nullptr;
  if (s_.shape(predicate).is_uniform()) {
    Value* all = b_.splat(b_.CreateIsNotNull(s_.base(predicate)));
    chosen = mask == nullptr ? all : b_.CreateLogicalAnd(mask, all);
  } else {
    Value* v = s_.vector(predicate);
    chosen = b_.CreateICmpNE(v, Constant::getNullValue(v->getType()));
    if (mask != nullptr) chosen = b_.CreateLogicalAnd(mask, chosen);
  }
  return b_.CreateZExt(b_.CreateBitCast(chosen, b_.getIntNTy(s_.width)), call.getType());
}

/// If the index differs between lanes, which it must not, that of the first active lane is used.
Value* SubGroups::broadcast(const CallInst& call, Value* mask) {
  const Value* v = call.getArgOperand(0);
  const Value* index = call.getArgOperand(1);
  if (s_.shape(v).is_uniform()) return s_.base(v);
  Value* from = nullptr;
  if (s_.shape(index).is_uniform()) {
    from = s_.base(index);
  } else if (mask == nullptr) {
    from = s_.lane(index, 0);
  } else {
    Value* bits = b_.CreateBitCast(mask, b_.getIntNTy(s_.width));
    Value* first = b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, b_.getFalse());
    first = b_.CreateAnd(b_.CreateZExtOrTrunc(first, b_.getInt32Ty()), b_.getInt32(s_.width - 1));
    from = b_.CreateExtractElement(s_.vector(index), first);
  }
  return b_.CreateExtractElement(s_.vector(v), b_.CreateAnd(from, ConstantInt::get(from->getType(), s_.width - 1)));
}

Value* SubGroups::shuffle(const CallInst& call) {
  Value* v = s_.vector(call.getArgOperand(0));
  Value* index = s_.vector(call.getArgOperand(1));
  llvm::SmallVector<int> numbers;
  const Constant* known = constant_of(index, s_.layout);
  if (known != nullptr && lane_numbers(*known, s_.width, numbers)) return b_.CreateShuffleVector(v, numbers);
  // Through memory: one store, and a load per lane that the processor forwards.
  Value* place = s_.dummy(v->getType(), 0);
  b_.CreateAlignedStore(v, place, llvm::Align(64));
  Value* within = b_.CreateAnd(index, ConstantInt::get(index->getType(), s_.width - 1));
  llvm::SmallVector<Value*> lanes;
  for (unsigned l = 0; l < s_.width; ++l) {
    Value* offset = b_.CreateZExt(b_.CreateExtractElement(within, l), b_.getInt64Ty());
    lanes.push_back(b_.CreateLoad(call.getType(), b_.CreateGEP(call.getType(), place, offset)));
  }
  return b_.from_lanes(lanes);
}

/// The values of active lanes, the identity in others.
Value* SubGroups::masked_operand(const CallInst& call, Value* mask) {
  Value* v = s_.vector(call.getArgOperand(0));
  if (mask == nullptr) return v;
  return b_.CreateSelect(mask, v, b_.splat(identity(*sub_group_call(call), *call.getType())));
}

Value* SubGroups::reduce(const CallInst& call, Value* mask) {
  const SubGroupCall operation = *sub_group_call(call);
  return reduced_lanes(b_, masked_operand(call, mask),
                       [&](Value* left, Value* right) { return combine(b_, operation, left, right); });
}

Value* SubGroups::scan(const CallInst& call, Value* mask) {
  const SubGroupCall operation = *sub_group_call(call);
  Value* neutral = b_.splat(identity(operation, *call.getType()));
  Value* v = scanned_lanes(b_, masked_operand(call, mask), neutral,
                           [&](Value* left, Value* right) { return combine(b_, operation, left, right); });
  return operation.what == SubGroupOperation::scan_exclusive ? shifted_lanes(b_, v, 1, neutral) : v;
}

/// Butterfly steps up to the size of a cluster; each lane gets the result of its cluster.
Value* SubGroups::clustered(const CallInst& call, Value* mask) {
  const SubGroupCall operation = *sub_group_call(call);
  Value* size =
      s_.shape(call.getArgOperand(1)).is_uniform() ? s_.base(call.getArgOperand(1)) : s_.lane(call.getArgOperand(1), 0);
  if (Constant* known = constant_of(size, s_.layout)) size = known;
  Value* v = masked_operand(call, mask);
  for (unsigned step = 1; step < s_.width; step *= 2) {
    llvm::SmallVector<int> order;
    for (unsigned l = 0; l < s_.width; ++l) order.push_back(static_cast<int>(l ^ step));
    Value* wider = combine(b_, operation, v, b_.CreateShuffleVector(v, order));
    Value* within = b_.CreateICmpUGT(size, ConstantInt::get(size->getType(), step));
    v = b_.CreateSelect(within, wider, v);
  }
  return v;
}

}  // namespace lanewise::spmd

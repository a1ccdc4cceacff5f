// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Operations between the work-items of a sub-group, which are the lanes of a vector: shuffles, ballots and reductions.
/// The mask says who is active, so they work under divergence as well.
///
///     %s = call float @__lw_sub_group_reduce_add_float(float %v)
///  =>
///     %m = select <8 x i1> %mask, <8 x float> %v, <8 x float> zeroinitializer
///     %4 = fadd <4 x float> (low half of %m), (high half of %m)
///     %2 = ...                                                        ; log2(8) steps, then one scalar
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Instructions.h>

#include "compiler/spmd/emitter.h"
#include "compiler/subgroup/operations.h"

namespace lanewise::spmd {

using llvm::CallInst;
using llvm::Constant;
using llvm::ConstantInt;
using llvm::Instruction;
using llvm::Value;

namespace {

/// The number of each lane of `v` if that is known now: the emitter clones instructions without folding them.
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

/// Lanes as the indices of a shuffle; an index that no lane has gives anything.
bool lane_numbers(const Constant& indices, unsigned width, llvm::SmallVectorImpl<int>& numbers) {
  for (unsigned l = 0; l < width; ++l) {
    const auto* index = llvm::dyn_cast_or_null<ConstantInt>(indices.getAggregateElement(l));
    if (index == nullptr) return false;
    numbers.push_back(static_cast<int>(index->getValue().urem(width)));
  }
  return true;
}

}  // namespace

void Emitter::emit_sub_group(const CallInst& call, Value* mask) {
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
    lanes_[&call].base = result;
  else
    lanes_[&call].parts.assign(1, result);
}

Emitter::Value* Emitter::ballot(const CallInst& call, Value* mask) {
  const Value* predicate = call.getArgOperand(0);
  Value* chosen = nullptr;
  if (shapes_.of(*predicate).is_uniform()) {
    Value* all = splat(b_.CreateIsNotNull(base(predicate)));
    chosen = mask == nullptr ? all : b_.CreateLogicalAnd(mask, all);
  } else {
    Value* v = vector(predicate);
    chosen = b_.CreateICmpNE(v, Constant::getNullValue(v->getType()));
    if (mask != nullptr) chosen = b_.CreateLogicalAnd(mask, chosen);
  }
  return b_.CreateZExt(b_.CreateBitCast(chosen, b_.getIntNTy(width_)), call.getType());
}

/// Where the index differs between lanes, which it must not, that of the first active lane counts.
Emitter::Value* Emitter::broadcast(const CallInst& call, Value* mask) {
  const Value* v = call.getArgOperand(0);
  const Value* index = call.getArgOperand(1);
  if (shapes_.of(*v).is_uniform()) return base(v);
  Value* from = nullptr;
  if (shapes_.of(*index).is_uniform()) {
    from = base(index);
  } else if (mask == nullptr) {
    from = lane(index, 0);
  } else {
    Value* bits = b_.CreateBitCast(mask, b_.getIntNTy(width_));
    Value* first = b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, b_.getFalse());
    first = b_.CreateAnd(b_.CreateZExtOrTrunc(first, b_.getInt32Ty()), b_.getInt32(width_ - 1));
    from = b_.CreateExtractElement(vector(index), first);
  }
  return b_.CreateExtractElement(vector(v), b_.CreateAnd(from, ConstantInt::get(from->getType(), width_ - 1)));
}

Emitter::Value* Emitter::shuffle(const CallInst& call) {
  Value* v = vector(call.getArgOperand(0));
  Value* index = vector(call.getArgOperand(1));
  llvm::SmallVector<int> numbers;
  const Constant* known = constant_of(index, layout_);
  if (known != nullptr && lane_numbers(*known, width_, numbers)) return b_.CreateShuffleVector(v, numbers);
  // Through memory: one store, and a load per lane that the processor forwards.
  Value* place = dummy(v->getType(), 0);
  b_.CreateAlignedStore(v, place, llvm::Align(64));
  Value* within = b_.CreateAnd(index, ConstantInt::get(index->getType(), width_ - 1));
  llvm::SmallVector<Value*> lanes;
  for (unsigned l = 0; l < width_; ++l) {
    Value* offset = b_.CreateZExt(b_.CreateExtractElement(within, l), b_.getInt64Ty());
    lanes.push_back(b_.CreateLoad(call.getType(), b_.CreateGEP(call.getType(), place, offset)));
  }
  return from_lanes(lanes);
}

/// The values of active lanes, the identity in others.
Emitter::Value* Emitter::masked_operand(const CallInst& call, Value* mask) {
  Value* v = vector(call.getArgOperand(0));
  if (mask == nullptr) return v;
  return b_.CreateSelect(mask, v, splat(identity(*sub_group_call(call), *call.getType())));
}

Emitter::Value* Emitter::reduce(const CallInst& call, Value* mask) {
  const SubGroupCall operation = *sub_group_call(call);
  Value* v = masked_operand(call, mask);
  for (unsigned half = width_ / 2; half != 0; half /= 2) {
    llvm::SmallVector<int> low;
    llvm::SmallVector<int> high;
    for (unsigned l = 0; l < half; ++l) {
      low.push_back(static_cast<int>(l));
      high.push_back(static_cast<int>(half + l));
    }
    v = combine(b_, operation, b_.CreateShuffleVector(v, low), b_.CreateShuffleVector(v, high));
  }
  return b_.CreateExtractElement(v, std::uint64_t{0});
}

/// Lane l gets the value of lane l - `by`, the first ones `fill`.
Emitter::Value* Emitter::shifted(Value* v, unsigned by, Value* fill) {
  llvm::SmallVector<int> order;
  for (unsigned l = 0; l < width_; ++l) order.push_back(static_cast<int>(l < by ? width_ + l : l - by));
  return b_.CreateShuffleVector(v, fill, order);
}

/// Hillis and Steele, "Data Parallel Algorithms" (CACM 1986).
Emitter::Value* Emitter::scan(const CallInst& call, Value* mask) {
  const SubGroupCall operation = *sub_group_call(call);
  Value* neutral = splat(identity(operation, *call.getType()));
  Value* v = masked_operand(call, mask);
  for (unsigned step = 1; step < width_; step *= 2) v = combine(b_, operation, shifted(v, step, neutral), v);
  return operation.what == SubGroupOperation::scan_exclusive ? shifted(v, 1, neutral) : v;
}

/// Butterflies as far as a cluster reaches; each lane has the result of its cluster.
Emitter::Value* Emitter::clustered(const CallInst& call, Value* mask) {
  const SubGroupCall operation = *sub_group_call(call);
  Value* size =
      shapes_.of(*call.getArgOperand(1)).is_uniform() ? base(call.getArgOperand(1)) : lane(call.getArgOperand(1), 0);
  if (Constant* known = constant_of(size, layout_)) size = known;
  Value* v = masked_operand(call, mask);
  for (unsigned step = 1; step < width_; step *= 2) {
    llvm::SmallVector<int> order;
    for (unsigned l = 0; l < width_; ++l) order.push_back(static_cast<int>(l ^ step));
    Value* wider = combine(b_, operation, v, b_.CreateShuffleVector(v, order));
    Value* within = b_.CreateICmpUGT(size, ConstantInt::get(size->getType(), step));
    v = b_.CreateSelect(within, wider, v);
  }
  return v;
}

}  // namespace lanewise::spmd

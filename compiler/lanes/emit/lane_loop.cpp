// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/lane_loop.h"

#include "compiler/base/loop_properties.h"
#include "compiler/base/transformations.h"

namespace lanewise::spmd {

using llvm::ConstantInt;
using llvm::Value;

namespace {

/// An operand of the operation for a lane whose number is known at run time only.
class Operand {
 public:
  /// To be called before the loop.
  /// @param number  distinguishes the operands of one operation
  Operand(VectorState& s, const Value* v, unsigned number) : s_(s), type_(v->getType()) {
    if (s.shape(v).is_uniform()) {
      same_ = s.base(v);
    } else {
      Value* lanes = s.vector(v);
      slot_ = s.slot(lanes->getType(), number);
      s.b.CreateStore(lanes, slot_);
    }
  }

  Value* of(Value* lane) const {
    if (same_ != nullptr) return same_;
    return s_.b.CreateLoad(type_, s_.b.CreateInBoundsGEP(type_, slot_, lane));
  }

 private:
  VectorState& s_;
  llvm::Type* type_;
  Value* same_ = nullptr;
  Value* slot_ = nullptr;
};

}  // namespace

Value* perform(llvm::IRBuilder<>& b, const llvm::AtomicRMWInst& atomic, Value* pointer, Value* value) {
  llvm::Instruction* once = atomic.clone();
  once->setOperand(0, pointer);
  once->setOperand(1, value);
  return b.Insert(once);
}

void emit_lane_loop(VectorState& s, const llvm::AtomicRMWInst& atomic, Value* mask) {
  tally(Transformation::loop_over_lanes);
  LaneBuilder& b = s.b;
  const Operand pointers(s, atomic.getPointerOperand(), 0);
  const Operand values(s, atomic.getValOperand(), 1);
  // Of a mask in a whole register, the processor removes the lowest bit by one instruction.
  llvm::Type* type = b.getIntNTy(mask == nullptr || s.width > 32 ? 64 : 32);
  Value* begin = mask == nullptr ? b.getInt64(0) : b.CreateZExt(b.CreateBitCast(mask, b.getIntNTy(s.width)), type);
  llvm::BasicBlock* before = b.GetInsertBlock();
  llvm::BasicBlock* loop = s.new_block("lane.loop");
  llvm::BasicBlock* done = s.new_block("lanes.done");
  if (mask == nullptr)
    b.CreateBr(loop);
  else
    b.CreateCondBr(b.CreateIsNotNull(begin), loop, done);

  b.SetInsertPoint(loop);
  llvm::PHINode* state = b.CreatePHI(type, 2);
  state->addIncoming(begin, before);
  Value* lane = mask == nullptr ? state : b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, state, b.getTrue());
  lane = b.CreateZExtOrTrunc(lane, b.getInt64Ty());
  perform(b, atomic, pointers.of(lane), values.of(lane));
  Value* one = ConstantInt::get(type, 1);
  Value* next = mask == nullptr ? b.CreateNUWAdd(state, one) : b.CreateAnd(state, b.CreateSub(state, one));
  Value* more = mask == nullptr ? b.CreateICmpULT(next, b.getInt64(s.width)) : b.CreateIsNotNull(next);
  state->addIncoming(next, loop);
  set_loop_properties(*b.CreateCondBr(more, loop, done), {kNoUnrolling});
  b.SetInsertPoint(done);
}

}  // namespace lanewise::spmd

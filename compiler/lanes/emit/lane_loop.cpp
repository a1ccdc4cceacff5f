// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/lane_loop.h"

#include <optional>

#include "compiler/base/loop_properties.h"
#include "compiler/base/transformations.h"
#include "compiler/lanes/analysis/components.h"

namespace lanewise::spmd {

using llvm::ConstantInt;
using llvm::Value;

namespace {

/// The most components of a value: `number`s of slots are multiples of it.
constexpr unsigned kComponents = 16;

/// A value of each lane in memory, for a lane whose number is known at run time only.
class LaneSlots {
 public:
  /// To be used before the loop.
  /// @param number  distinguishes the values of one operation
  LaneSlots(VectorState& s, llvm::Type& type, unsigned number) : s_(s), type_(type) {
    for (unsigned p = 0; p < components(type); ++p)
      slots_.push_back(s.slot(s.b.wide(component_type(type, p)), number * kComponents + p));
  }

  void fill(unsigned part, Value* lanes) { s_.b.CreateStore(lanes, slots_[part]); }
  [[nodiscard]] Value* all(unsigned part) {
    return s_.b.CreateLoad(s_.b.wide(component_type(type_, part)), slots_[part]);
  }

  [[nodiscard]] Value* load(Value* lane) {
    if (!type_.isVectorTy()) return s_.b.CreateLoad(&type_, place(0, lane));
    Value* value = llvm::PoisonValue::get(&type_);
    for (unsigned p = 0; p < slots_.size(); ++p)
      value = s_.b.CreateInsertElement(value, s_.b.CreateLoad(component_type(type_, p), place(p, lane)), p);
    return value;
  }
  void store(Value* value, Value* lane) {
    for (unsigned p = 0; p < slots_.size(); ++p)
      s_.b.CreateStore(type_.isVectorTy() ? s_.b.CreateExtractElement(value, p) : value, place(p, lane));
  }

 private:
  Value* place(unsigned part, Value* lane) {
    return s_.b.CreateInBoundsGEP(component_type(type_, part), slots_[part], lane);
  }

  VectorState& s_;
  llvm::Type& type_;
  llvm::SmallVector<Value*, 1> slots_;
};

/// An operand of the operation.
class Operand {
 public:
  /// To be called before the loop.
  Operand(VectorState& s, const Value* v, unsigned number) {
    if (s.shape(v).is_uniform()) {
      same_ = s.base(v);
      return;
    }
    llvm::Type& type = *v->getType();
    slots_.emplace(s, type, number);
    for (unsigned p = 0; p < components(type); ++p) slots_->fill(p, s.vector(v, p));
  }

  Value* of(Value* lane) { return same_ != nullptr ? same_ : slots_->load(lane); }

 private:
  Value* same_ = nullptr;
  std::optional<LaneSlots> slots_;
};

/// Runs `body` for each active lane, with its number.
void for_each_lane(VectorState& s, Value* mask, llvm::function_ref<void(Value* lane)> body) {
  LaneBuilder& b = s.b;
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
  body(b.CreateZExtOrTrunc(lane, b.getInt64Ty()));
  Value* one = ConstantInt::get(type, 1);
  Value* next = mask == nullptr ? b.CreateNUWAdd(state, one) : b.CreateAnd(state, b.CreateSub(state, one));
  Value* more = mask == nullptr ? b.CreateICmpULT(next, b.getInt64(s.width)) : b.CreateIsNotNull(next);
  state->addIncoming(next, loop);
  set_loop_properties(*b.CreateCondBr(more, loop, done), {kNoUnrolling});
  b.SetInsertPoint(done);
}

bool has_body(const llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee != nullptr && !callee->isDeclaration();
}

/// Whether the lanes of a value can be told apart in memory: those of a vector of bits cannot.
bool has_places(llvm::Type& type, const llvm::DataLayout& layout) {
  if (type.isStructTy() || type.isArrayTy() || components(type) > kComponents) return false;
  llvm::Type* component = component_type(type, 0);
  return component->isSingleValueType() && layout.typeSizeEqualsStoreSize(component);
}

}  // namespace

Value* perform(llvm::IRBuilder<>& b, const llvm::AtomicRMWInst& atomic, Value* pointer, Value* value) {
  llvm::Instruction* once = atomic.clone();
  once->setOperand(0, pointer);
  once->setOperand(1, value);
  return b.Insert(once);
}

void emit_lane_loop(VectorState& s, const llvm::AtomicRMWInst& atomic, Value* mask) {
  tally(Transformation::loop_over_lanes);
  Operand pointers(s, atomic.getPointerOperand(), 0);
  Operand values(s, atomic.getValOperand(), 1);
  for_each_lane(s, mask, [&](Value* lane) { perform(s.b, atomic, pointers.of(lane), values.of(lane)); });
}

bool can_loop_over_lanes(const llvm::CallInst& call) {
  if (call.isInlineAsm() || (!call.isIndirectCall() && !has_body(call))) return false;
  const llvm::DataLayout& layout = call.getDataLayout();
  return (call.getType()->isVoidTy() || has_places(*call.getType(), layout)) &&
         llvm::all_of(call.args(), [&](const llvm::Use& use) { return has_places(*use->getType(), layout); });
}

void emit_lane_loop(VectorState& s, const llvm::CallInst& call, Value* mask) {
  llvm::SmallVector<Operand> operands;
  for (const llvm::Use& argument : call.args()) operands.emplace_back(s, argument.get(), operands.size());
  std::optional<Operand> address;
  if (call.isIndirectCall()) address.emplace(s, call.getCalledOperand(), operands.size());
  std::optional<LaneSlots> results;
  llvm::Type& type = *call.getType();
  if (!type.isVoidTy() && !call.use_empty()) results.emplace(s, type, operands.size() + 1);
  if (results && mask != nullptr)
    for (unsigned p = 0; p < components(type); ++p)
      results->fill(p, llvm::Constant::getNullValue(s.b.wide(component_type(type, p))));
  for_each_lane(s, mask, [&](Value* lane) {
    auto* once = llvm::cast<llvm::CallInst>(call.clone());
    for (auto [number, operand] : llvm::enumerate(operands))
      once->setArgOperand(static_cast<unsigned>(number), operand.of(lane));
    if (address) once->setCalledOperand(address->of(lane));
    s.b.Insert(once, call.getName());
    if (results) results->store(once, lane);
  });
  if (!results) return;
  llvm::SmallVector<Value*, 1> parts;
  for (unsigned p = 0; p < components(type); ++p) parts.push_back(results->all(p));
  s.set_parts(call, parts);
}

}  // namespace lanewise::spmd

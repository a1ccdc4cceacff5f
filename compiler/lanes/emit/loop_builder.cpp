// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/loop_builder.h"

#include "compiler/lanes/emit/emitter.h"

namespace lanewise::spmd {

using llvm::BasicBlock;
using llvm::IRBuilder;
using llvm::Value;

LoopBuilder::LoopBuilder(const LoopFacts& facts, const LoopPlan& plan, const llvm::TargetTransformInfo& target,
                         LaneStorage& storage)
    : header(facts.items.loop->getHeader()),
      before(facts.items.loop->getLoopPreheader()),
      exit(facts.items.loop->getUniqueExitBlock()),
      width(plan.plan.width),
      facts_(facts),
      plan_(plan),
      target_(target),
      storage_(storage) {}

BasicBlock* LoopBuilder::block(const char* suffix) const {
  return BasicBlock::Create(header->getContext(), header->getName() + suffix, header->getParent(), header);
}

BasicBlock* LoopBuilder::leave_before(IRBuilder<>& b) const {
  before->getTerminator()->eraseFromParent();
  b.SetInsertPoint(before);
  return before;
}

llvm::PHINode* LoopBuilder::begin(IRBuilder<>& b, BasicBlock* top, BasicBlock* from, Value* start,
                                  const char* suffix) const {
  b.SetInsertPoint(top);
  llvm::PHINode* counter = b.CreatePHI(b.getInt64Ty(), 3, facts_.items.id->getName() + suffix);
  counter->addIncoming(start, from);
  return counter;
}

void LoopBuilder::repeat(IRBuilder<>& b, llvm::PHINode* counter, Value* step, Value* limit, BasicBlock* after) const {
  Value* next = b.CreateNUWAdd(counter, step);
  counter->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpULT(next, limit), counter->getParent(), after);
}

void LoopBuilder::full_body(IRBuilder<>& b, Value* first) const {
  const Economy economy{.calls_in_loops = plan_.plan.calls_in_loops};
  emit_body({*facts_.body, plan_.inner, *facts_.items.id, width, target_, plan_.isa, economy}, storage_, b, first,
            nullptr);
}

void LoopBuilder::masked_body(IRBuilder<>& b, Value* first, Value* mask, Value* full, bool bounded) const {
  const Economy economy{
      .brief = plan_.plan.brief_tail, .few_forms = plan_.plan.few_forms, .calls_in_loops = plan_.plan.calls_in_loops};
  emit_body({*facts_.body, plan_.whole, *facts_.items.id, width, target_, plan_.isa, economy, bounded}, storage_, b,
            first, mask, full);
}

Value* LoopBuilder::in_whole_vectors(IRBuilder<>& b, Value* items) const {
  return b.CreateAnd(items, b.getInt64(~std::uint64_t{width - 1}), "vector.items");
}

Value* LoopBuilder::first_lanes(IRBuilder<>& b, Value* count, unsigned bits) const {
  llvm::Type* type = b.getIntNTy(bits);
  Value* lanes = b.CreateStepVector(llvm::FixedVectorType::get(type, width));
  return b.CreateICmpULT(lanes, b.CreateVectorSplat(width, b.CreateTrunc(count, type)), "live");
}

}  // namespace lanewise::spmd

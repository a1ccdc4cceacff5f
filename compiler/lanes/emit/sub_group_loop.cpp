// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/sub_group_loop.h"

#include "compiler/base/transformations.h"
#include "compiler/lanes/emit/loop_builder.h"

namespace lanewise::spmd {
namespace {

using llvm::BasicBlock;
using llvm::IRBuilder;
using llvm::Value;

/// The size of the elements of masks: sub-group functions mostly work on 32-bit numbers.
constexpr unsigned kMaskBits = 32;

void emit_flattened(const LoopBuilder& loop, IRBuilder<>& b, Value* size) {
  BasicBlock* top = loop.block(".vector");
  BasicBlock* before = loop.leave_before(b);
  b.CreateBr(top);
  llvm::PHINode* first = loop.begin(b, top, before, b.getInt64(0), ".vector");
  Value* step = b.getInt64(loop.width);
  Value* left = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, b.CreateNUWSub(size, first), step);
  loop.masked_body(b, first, loop.first_lanes(b, left, kMaskBits));
  loop.repeat(b, first, step, size, loop.exit);
}

void emit_with_tail(const LoopBuilder& loop, IRBuilder<>& b, Value* size) {
  BasicBlock* top = loop.block(".vector");
  BasicBlock* rest = loop.block(".rest");
  BasicBlock* before = loop.leave_before(b);
  Value* count = loop.in_whole_vectors(b, size);
  b.CreateCondBr(b.CreateIsNotNull(count), top, rest);
  llvm::PHINode* first = loop.begin(b, top, before, b.getInt64(0), ".vector");
  loop.full_body(b, first);
  loop.repeat(b, first, b.getInt64(loop.width), count, rest);
  BasicBlock* tail = loop.block(".tail");
  b.SetInsertPoint(rest);
  Value* left = b.CreateAnd(size, b.getInt64(loop.width - 1), "rest.items");
  b.CreateCondBr(b.CreateIsNotNull(left), tail, loop.exit);
  b.SetInsertPoint(tail);
  loop.masked_body(b, count, loop.first_lanes(b, left, kMaskBits));
  b.CreateBr(loop.exit);
}

}  // namespace

void emit_sub_group_loop(const LoopFacts& facts, const LoopPlan& plan, const llvm::TargetTransformInfo& target,
                         LaneStorage& storage) {
  tally(Transformation::vectorise_sub_groups);
  const LoopBuilder loop(facts, plan, target, storage);
  IRBuilder<> b(loop.header->getContext());
  if (plan.plan.tail == Tail::all_masked)
    emit_flattened(loop, b, facts.items.size);
  else
    emit_with_tail(loop, b, facts.items.size);
}

}  // namespace lanewise::spmd

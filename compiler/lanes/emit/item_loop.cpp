// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/item_loop.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "compiler/base/loop_properties.h"
#include "compiler/base/transformations.h"
#include "compiler/lanes/analysis/vector_loop.h"
#include "compiler/lanes/emit/bounds.h"
#include "compiler/lanes/emit/loop_builder.h"

namespace lanewise::spmd {
namespace {

using llvm::BasicBlock;
using llvm::IRBuilder;
using llvm::Value;

class ItemLoopEmitter {
 public:
  ItemLoopEmitter(const LoopFacts& facts, const LoopPlan& plan, Isa isa, const llvm::TargetTransformInfo& target)
      : facts_(facts), plan_(plan), isa_(isa), loop_(facts, plan, target, storage_) {}

  void run() {
    const Tail tail = plan_.plan.tail;
    tally(transformation_of(tail));
    if (plan_.plan.guards != 0) tally(Transformation::guard_rows);
    if (plan_.plan.aligned) tally(Transformation::align_rows);
    if (tail == Tail::all_masked) {
      rest_ = loop_.block(".masked");
      enter_masked();
      emit_masked_rest();
      return;
    }
    enter_ = loop_.block(".vector.enter");
    top_ = loop_.block(".vector");
    done_ = loop_.block(".vector.end");
    rest_ = tail == Tail::masked ? loop_.block(".rest") : tail == Tail::either ? loop_.block(".tail") : loop_.header;
    enter();
    emit_full_vectors();
    if (tail == Tail::masked)
      emit_masked_rest();
    else if (tail == Tail::either)
      emit_either_rest();
    else
      keep_scalar_rest();
  }

 private:
  static Transformation transformation_of(Tail tail) {
    switch (tail) {
      case Tail::scalar:
        return Transformation::scalar_tail;
      case Tail::masked:
        return Transformation::masked_tail;
      case Tail::either:
        return Transformation::either_tail;
      case Tail::all_masked:
        return Transformation::one_masked_form;
    }
    llvm_unreachable("a tail");
  }

  /// Writes the code before the loops, which also computes the number of work-items in full vectors.
  void enter() {
    IRBuilder<> b(loop_.before->getTerminator());
    range_ = emit_range(b, facts_, plan_);
    Value* length = range_.low != nullptr ? b.CreateNUWSub(range_.high, range_.low) : range_.high;
    count_ = loop_.in_whole_vectors(b, length);
    rest_begin_ = range_.low != nullptr ? b.CreateNUWAdd(range_.low, count_) : count_;
    Value* go = b.CreateIsNotNull(count_);
    if (range_.assumed != nullptr) go = b.CreateAnd(go, range_.assumed);
    loop_.leave_before(b);
    few_ = range_.may_be_empty ? loop_.block(".few") : loop_.before;
    llvm::BranchInst::Create(enter_, range_.may_be_empty ? few_ : rest_, go, loop_.before);
    llvm::BranchInst::Create(top_, enter_);
    if (range_.may_be_empty) enter_rest(*few_);
  }

  void enter_masked() {
    IRBuilder<> b(loop_.before->getTerminator());
    range_ = emit_range(b, facts_, plan_);
    few_ = loop_.leave_before(b);
    if (range_.may_be_empty)
      enter_rest(*few_);
    else
      llvm::BranchInst::Create(rest_, few_);
  }

  /// Goes to the tail unless no work-item is within the bounds.
  void enter_rest(BasicBlock& from) {
    IRBuilder<> b(&from);
    b.CreateCondBr(b.CreateICmpULT(range_.begin, range_.end), rest_, loop_.exit);
  }

  void emit_full_vectors() {
    IRBuilder<> b(top_->getContext());
    llvm::PHINode* id = loop_.begin(b, top_, enter_, b.getInt64(0), ".vector");
    loop_.full_body(b, range_.low != nullptr ? b.CreateNUWAdd(range_.low, id) : id);
    loop_.repeat(b, id, b.getInt64(loop_.width), count_, done_);
    llvm::Instruction& latch = *b.GetInsertBlock()->getTerminator();
    set_loop_properties(latch, {kIsVectorised});
    mark_vector_loop(latch, loop_.width);
    b.SetInsertPoint(done_);
    b.CreateCondBr(b.CreateICmpEQ(rest_begin_, range_.end), loop_.exit, rest_);
  }

  void keep_scalar_rest() {
    llvm::PHINode& id = *facts_.items.id;
    if (few_ != loop_.before) id.replaceIncomingBlockWith(loop_.before, few_);
    id.setIncomingValueForBlock(few_, range_.begin);
    id.addIncoming(rest_begin_, done_);
    end_scalar_rest();
  }

  void end_scalar_rest() const {
    BasicBlock* latch = facts_.items.loop->getLoopLatch();
    auto* branch = llvm::cast<llvm::BranchInst>(latch->getTerminator());
    llvm::cast<llvm::ICmpInst>(branch->getCondition())->setOperand(1, range_.end);
    set_loop_properties(*branch, {kNoVectors, kNoUnrolling});
  }

  /// A tail of few work-items runs one by one, so that a group of 1 x 64 does not take as long as one of 16 x 64.
  /// Where an assumption does not hold, all work-items do.
  void emit_either_rest() {
    BasicBlock* masked = loop_.block(".rest");
    IRBuilder<> b(rest_);
    llvm::PHINode* begin = b.CreatePHI(b.getInt64Ty(), 2, "tail.begin");
    begin->addIncoming(range_.begin, few_);
    begin->addIncoming(rest_begin_, done_);
    Value* left = b.CreateNUWSub(range_.end, begin);
    Value* many = b.CreateICmpUGE(left, b.getInt64(plan_.plan.least_masked));
    if (range_.assumed != nullptr) many = b.CreateAnd(many, range_.assumed);
    b.CreateCondBr(many, masked, loop_.header);

    llvm::PHINode& id = *facts_.items.id;
    id.replaceIncomingBlockWith(loop_.before, rest_);
    id.setIncomingValueForBlock(rest_, begin);
    end_scalar_rest();

    b.SetInsertPoint(masked);
    loop_.masked_body(b, begin, live_lanes(b, left));
    b.CreateBr(loop_.exit);
  }

  /// The mask of the first `left` lanes, compared in elements of the size that most masks in the body will have.
  Value* live_lanes(IRBuilder<>& b, Value* left) const {
    return loop_.first_lanes(b, left, std::clamp(isa_.vector_bits() / loop_.width, 8U, 64U));
  }

  /// The tail, which runs once. Where an assumption does not hold, or there are no full vectors, it runs everything.
  void emit_masked_rest() {
    const bool alone = plan_.plan.tail == Tail::all_masked;
    const bool repeats = range_.assumed != nullptr || alone;
    IRBuilder<> b(loop_.before->getTerminator());
    Value* step = b.getInt64(loop_.width);
    if (range_.assumed != nullptr) step = b.CreateSelect(range_.assumed, step, b.getInt64(1), "rest.step");
    llvm::PHINode* id = loop_.begin(b, rest_, few_, range_.begin, ".rest");
    if (done_ != nullptr) id->addIncoming(rest_begin_, done_);
    Value* left = b.CreateNUWSub(range_.end, id);
    if (repeats) left = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, step);
    Value* live = live_lanes(b, left);
    // Also where there are mask registers: masked loads do not make some processors prefetch.
    Value* full = alone ? b.CreateICmpEQ(left, b.getInt64(loop_.width), "full") : nullptr;
    loop_.masked_body(b, id, live, full, range_.assumed == nullptr);
    if (!repeats) {
      b.CreateBr(loop_.exit);
      return;
    }
    loop_.repeat(b, id, step, range_.end, loop_.exit);
    set_loop_properties(*b.GetInsertBlock()->getTerminator(), {kIsVectorised, kNoUnrolling});
  }

  const LoopFacts& facts_;
  const LoopPlan& plan_;
  Isa isa_;
  LaneStorage storage_;
  LoopBuilder loop_;
  BasicBlock* enter_ = nullptr;
  BasicBlock* top_ = nullptr;
  BasicBlock* done_ = nullptr;
  BasicBlock* rest_ = nullptr;
  BasicBlock* few_ = nullptr;  ///< leads to the tail if there are no full vectors
  ItemRange range_;
  Value* count_ = nullptr;       ///< work-items in full vectors
  Value* rest_begin_ = nullptr;  ///< after the full vectors
};

}  // namespace

void emit_item_loop(const LoopFacts& facts, const LoopPlan& plan, Isa isa, const llvm::TargetTransformInfo& target) {
  ItemLoopEmitter(facts, plan, isa, target).run();
}

}  // namespace lanewise::spmd

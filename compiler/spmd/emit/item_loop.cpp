// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spmd/emit/item_loop.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "compiler/spmd/analysis/vector_loop.h"
#include "compiler/spmd/emit/bounds.h"
#include "compiler/spmd/emit/emitter.h"

namespace lanewise::spmd {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

/// No range of local ids ends above this, so that none wraps as a 32-bit number, nor with what is added to it.
constexpr std::uint64_t kLargestId = (std::uint64_t{1} << 31U) - static_cast<std::uint64_t>(kRoom);
/// A sum of a local id and less than this is in range anyway: a row of work-items has less than 2^30 (kernel_abi.h).
constexpr std::uint64_t kSmallBase = std::uint64_t{1} << 20U;
void set_loop_metadata(BasicBlock& latch, llvm::ArrayRef<const char*> names) {
  llvm::LLVMContext& c = latch.getContext();
  llvm::SmallVector<llvm::Metadata*> operands{nullptr};
  for (const char* name : names) {
    auto* key = llvm::MDString::get(c, name);
    const bool is_switch = llvm::StringRef(name).contains("enable") || llvm::StringRef(name).contains("isvectorized");
    if (!is_switch) {
      operands.push_back(llvm::MDNode::get(c, {key}));
      continue;
    }
    const bool on = llvm::StringRef(name).contains("isvectorized");
    auto* value = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(c), on ? 1 : 0));
    operands.push_back(llvm::MDNode::get(c, {key, value}));
  }
  auto* id = llvm::MDNode::getDistinct(c, operands);
  id->replaceOperandWith(0, id);
  latch.getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, id);
}

class LoopEmitter {
 public:
  LoopEmitter(const LoopFacts& facts, const LoopPlan& plan, Isa isa, const llvm::TargetTransformInfo& target)
      : facts_(facts),
        items_(facts.items),
        plan_(plan),
        tail_(plan.plan.tail),
        isa_(isa),
        target_(target),
        width_(plan.plan.width),
        header_(items_.loop->getHeader()),
        before_(items_.loop->getLoopPreheader()),
        exit_(items_.loop->getUniqueExitBlock()) {}

  void run() {
    if (tail_ == Tail::none) {
      rest_ = block(".masked");
      enter_masked();
      emit_masked_rest();
      return;
    }
    enter_ = block(".vector.enter");
    top_ = block(".vector");
    done_ = block(".vector.end");
    rest_ = tail_ == Tail::masked ? block(".rest") : header_;
    enter();
    emit_full_vectors();
    if (tail_ == Tail::masked)
      emit_masked_rest();
    else
      keep_scalar_rest();
  }

 private:
  BodyForm form(const Shapes& shapes) const { return {*facts_.body, shapes, *items_.id, width_, target_}; }

  BasicBlock* block(const char* suffix) const {
    return BasicBlock::Create(header_->getContext(), header_->getName() + suffix, header_->getParent(), header_);
  }

  void assume(IRBuilder<>& b, Value* condition) {
    assumed_ = assumed_ == nullptr ? condition : b.CreateAnd(assumed_, condition);
  }

  /// Assumptions that the shapes of ids rest on.
  void assume_small_ids(IRBuilder<>& b) {
    llvm::SmallSetVector<Value*, 4> bases;
    for (const Shapes* shapes : {&plan_.inner, &plan_.whole})
      bases.insert(shapes->bounded_bases().begin(), shapes->bounded_bases().end());
    for (Value* base : bases) {
      const auto* known = llvm::dyn_cast<llvm::ConstantInt>(base);
      if (known != nullptr && known->getValue().ult(kSmallBase)) continue;
      assume(b, b.CreateICmpULE(b.CreateAdd(base, items_.size), b.getInt64(kLargestId)));
      // Sums that wrap around 2^64 are no ids either.
      assume(b, b.CreateICmpULE(base, b.getInt64(kLargestId)));
    }
  }

  /// The bounds, and whether the assumptions hold.
  void find_range(IRBuilder<>& b) {
    assume_small_ids(b);
    const Bounds bounds = emit_bounds(b, facts_.guards, *facts_.body, *items_.id, items_.size);
    if (bounds.holds != nullptr) assume(b, bounds.holds);
    low_ = bounds.low;
    high_ = bounds.high != nullptr ? bounds.high : items_.size;
    single_begin_ = low_ != nullptr ? low_ : b.getInt64(0);
    end_ = high_;
    bounded_ = low_ != nullptr || bounds.high != nullptr;
    if (assumed_ == nullptr) return;
    if (low_ != nullptr) single_begin_ = b.CreateSelect(assumed_, low_, b.getInt64(0));
    if (bounds.high != nullptr) end_ = b.CreateSelect(assumed_, high_, items_.size, "items.high");
  }

  /// In front of the loops: the number of work-items in full vectors too.
  void enter() {
    IRBuilder<> b(before_->getTerminator());
    find_range(b);
    Value* length = low_ != nullptr ? b.CreateNUWSub(high_, low_) : high_;
    count_ = b.CreateAnd(length, b.getInt64(~std::uint64_t{width_ - 1}), "vector.items");
    rest_begin_ = low_ != nullptr ? b.CreateNUWAdd(low_, count_) : count_;
    Value* go = b.CreateIsNotNull(count_);
    if (assumed_ != nullptr) go = b.CreateAnd(go, assumed_);
    BasicBlock* few = rest_;
    few_ = before_;
    if (bounded_) few = few_ = block(".few");
    llvm::BranchInst::Create(enter_, few, go, before_->getTerminator()->getIterator());
    before_->getTerminator()->eraseFromParent();
    llvm::BranchInst::Create(top_, enter_);
    if (bounded_) enter_rest(*few);
  }

  void enter_masked() {
    IRBuilder<> b(before_->getTerminator());
    find_range(b);
    before_->getTerminator()->eraseFromParent();
    few_ = before_;
    if (bounded_)
      enter_rest(*before_);
    else
      llvm::BranchInst::Create(rest_, before_);
  }

  /// No work-item may be in the bounds.
  void enter_rest(BasicBlock& from) {
    IRBuilder<> b(&from);
    b.CreateCondBr(b.CreateICmpULT(single_begin_, end_), rest_, exit_);
  }

  void emit_full_vectors() {
    IRBuilder<> b(top_);
    llvm::PHINode* id = b.CreatePHI(b.getInt64Ty(), 2, items_.id->getName() + ".vector");
    id->addIncoming(b.getInt64(0), enter_);
    Value* first = low_ != nullptr ? b.CreateNUWAdd(low_, id) : id;
    emit_body(form(plan_.inner), storage_, b, first, nullptr);
    Value* next = b.CreateNUWAdd(id, b.getInt64(width_));
    id->addIncoming(next, b.GetInsertBlock());
    b.CreateCondBr(b.CreateICmpULT(next, count_), top_, done_);
    set_loop_metadata(*b.GetInsertBlock(), {"llvm.loop.isvectorized"});
    mark_vector_loop(*b.GetInsertBlock()->getTerminator(), width_);
    b.SetInsertPoint(done_);
    b.CreateCondBr(b.CreateICmpEQ(rest_begin_, end_), exit_, rest_);
  }

  void keep_scalar_rest() {
    BasicBlock* latch = items_.loop->getLoopLatch();
    if (few_ != before_) items_.id->replaceIncomingBlockWith(before_, few_);
    items_.id->setIncomingValueForBlock(few_, single_begin_);
    items_.id->addIncoming(rest_begin_, done_);
    auto* branch = llvm::cast<llvm::BranchInst>(latch->getTerminator());
    llvm::cast<llvm::ICmpInst>(branch->getCondition())->setOperand(1, end_);
    set_loop_metadata(*latch, {"llvm.loop.vectorize.enable", "llvm.loop.unroll.disable"});
  }

  /// `lane < count`, in elements of the size that the body's masks will have most.
  Value* first_lanes(IRBuilder<>& b, Value* count) const {
    const unsigned register_bits = isa_.vector_bits();
    llvm::Type* type = b.getIntNTy(std::clamp(register_bits / width_, 8U, 64U));
    llvm::SmallVector<llvm::Constant*> numbers;
    for (unsigned l = 0; l < width_; ++l) numbers.push_back(llvm::ConstantInt::get(type, l));
    Value* all = b.CreateVectorSplat(width_, b.CreateTrunc(count, type));
    return b.CreateICmpULT(llvm::ConstantVector::get(numbers), all, "live");
  }

  /// The rest: once. Where an assumption does not hold, or there are no full vectors: everything.
  void emit_masked_rest() {
    const bool repeats = assumed_ != nullptr || tail_ == Tail::none;
    IRBuilder<> b(before_->getTerminator());
    Value* step = b.getInt64(width_);
    if (assumed_ != nullptr) step = b.CreateSelect(assumed_, step, b.getInt64(1), "rest.step");
    b.SetInsertPoint(rest_);
    llvm::PHINode* id = b.CreatePHI(b.getInt64Ty(), 3, items_.id->getName() + ".rest");
    id->addIncoming(single_begin_, few_);
    if (done_ != nullptr) id->addIncoming(rest_begin_, done_);
    Value* left = b.CreateNUWSub(end_, id);
    if (repeats) left = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, step);
    Value* live = first_lanes(b, left);
    // With registers of its own a mask costs nothing.
    const bool asks = tail_ == Tail::none && !isa_.has_mask_registers();
    Value* full = asks ? b.CreateICmpEQ(left, b.getInt64(width_), "full") : nullptr;
    emit_body(form(plan_.whole), storage_, b, id, live, full);
    if (!repeats) {
      b.CreateBr(exit_);
      return;
    }
    Value* next = b.CreateNUWAdd(id, step);
    id->addIncoming(next, b.GetInsertBlock());
    b.CreateCondBr(b.CreateICmpULT(next, end_), rest_, exit_);
    set_loop_metadata(*b.GetInsertBlock(), {"llvm.loop.isvectorized", "llvm.loop.unroll.disable"});
  }

  const LoopFacts& facts_;
  const ItemLoop& items_;
  const LoopPlan& plan_;
  Tail tail_;
  Isa isa_;
  const llvm::TargetTransformInfo& target_;
  unsigned width_;
  BasicBlock* header_;
  BasicBlock* before_;
  BasicBlock* exit_;
  LaneStorage storage_;
  BasicBlock* enter_ = nullptr;
  BasicBlock* top_ = nullptr;
  BasicBlock* done_ = nullptr;
  BasicBlock* rest_ = nullptr;
  BasicBlock* few_ = nullptr;      ///< leads to the rest if there are no full vectors
  Value* low_ = nullptr;           ///< null: 0
  Value* count_ = nullptr;         ///< work-items in full vectors
  Value* rest_begin_ = nullptr;    ///< behind the full vectors
  Value* single_begin_ = nullptr;  ///< where the rest begins without them
  Value* high_ = nullptr;          ///< the end, if the assumptions hold
  Value* end_ = nullptr;
  bool bounded_ = false;      ///< [low, high) may be empty
  Value* assumed_ = nullptr;  ///< null: nothing is
};

}  // namespace

void emit_item_loop(const LoopFacts& facts, const LoopPlan& plan, Isa isa, const llvm::TargetTransformInfo& target) {
  LoopEmitter(facts, plan, isa, target).run();
}

}  // namespace lanewise::spmd

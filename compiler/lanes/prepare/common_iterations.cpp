// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/prepare/common_iterations.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <optional>

#include "compiler/base/loop_properties.h"
#include "compiler/base/transformations.h"
#include "compiler/lanes/analysis/item_loop.h"
#include "compiler/lanes/prepare/row_lines.h"

namespace lanewise::spmd {
namespace {

using llvm::BasicBlock;
using llvm::ICmpInst;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

/// Larger bodies gain little by a copy without masks, and it would have to be compiled.
constexpr unsigned kMostInTwoLoops = 160;

/// A test that keeps a work-item in a loop: `number < bound`, after which all of the loop may be left.
struct ExitTest {
  BasicBlock* block = nullptr;
  BasicBlock* inside = nullptr;
  Value* number = nullptr;
  Value* bound = nullptr;
  bool is_signed = false;
};

/// Reads the test at the end of a block.
std::optional<ExitTest> read_test(const llvm::Loop& loop, BasicBlock& block) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (branch == nullptr || !branch->isConditional()) return std::nullopt;
  const bool stays_if = loop.contains(branch->getSuccessor(0));
  const auto* compare = llvm::dyn_cast<ICmpInst>(branch->getCondition());
  if (compare == nullptr || compare->isEquality() || stays_if == loop.contains(branch->getSuccessor(1)))
    return std::nullopt;
  auto predicate = stays_if ? compare->getPredicate() : compare->getInversePredicate();
  ExitTest test{&block, branch->getSuccessor(stays_if ? 0 : 1), compare->getOperand(0), compare->getOperand(1), false};
  if (ICmpInst::isGT(predicate) || ICmpInst::isGE(predicate)) {
    std::swap(test.number, test.bound);
    predicate = ICmpInst::getSwappedPredicate(predicate);
  }
  test.is_signed = ICmpInst::isSigned(predicate);
  if (!test.number->getType()->isIntegerTy(32) && !test.number->getType()->isIntegerTy(64)) return std::nullopt;
  return test;
}

/// A loop with one test that work-items pass differently.
class CommonIterations {
 public:
  using Stride = RowLines::Stride;

  CommonIterations(llvm::Loop& loop, const ItemLoop& items) : loop_(loop), items_(items), rows_(items) {}

  /// Whether the loop is of a form that gains.
  bool read() {
    if (!loop_.isLoopSimplifyForm() || !may_be_copied()) return false;
    llvm::SmallVector<BasicBlock*> exiting;
    loop_.getExitingBlocks(exiting);
    for (BasicBlock* block : exiting) {
      const auto test = read_test(loop_, *block);
      if (!test) return false;
      const auto number = rows_stride(*test->number);
      const auto bound = rows_.of(*test->bound);
      if (number == Stride(0) && bound == Stride(0)) continue;
      if (test_.block != nullptr || !number || !bound || !loop_.isLoopInvariant(test->bound)) return false;
      if (*number < 0 || *bound < 0 || (*number != 0 && *bound != 0)) return false;
      test_ = *test;
      stride_ = *number + *bound;
      by_bound_ = *bound != 0;
    }
    return test_.block != nullptr && (by_bound_ || counter_ != nullptr) && is_begin_of_iteration();
  }

  void split();

 private:
  [[nodiscard]] bool may_be_copied() const {
    unsigned instructions = 0;
    for (const BasicBlock* block : loop_.blocks())
      for (const Instruction& i : *block) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
        if (call != nullptr && (call->isConvergent() || call->cannotDuplicate())) return false;
        if (i.getType()->isTokenTy() || llvm::isa<llvm::AllocaInst>(i)) return false;
        ++instructions;
      }
    return instructions <= kMostInTwoLoops && loop_.isInnermost();
  }

  /// Of the number that is tested: of the loop's counter, or of one plus something.
  Stride rows_stride(Value& number) {
    if (auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&number);
        sum != nullptr && sum->getOpcode() == Instruction::Add && loop_.contains(sum) &&
        loop_.isLoopInvariant(sum->getOperand(1)) && rows_.of(*sum->getOperand(1)) == Stride(0))
      return counter_stride(*sum->getOperand(0));
    return counter_stride(number);
  }

  Stride counter_stride(Value& number) {
    auto* phi = llvm::dyn_cast<PHINode>(&number);
    if (phi == nullptr || phi->getParent() != loop_.getHeader()) return rows_.of(number);
    const auto* next = llvm::dyn_cast<llvm::BinaryOperator>(phi->getIncomingValueForBlock(loop_.getLoopLatch()));
    if (next == nullptr || next->getOpcode() != Instruction::Add || next->getOperand(0) != phi) return std::nullopt;
    Value* step = next->getOperand(1);
    if (!loop_.isLoopInvariant(step) || rows_.of(*step) != Stride(0)) return std::nullopt;
    const Stride start = rows_.of(*phi->getIncomingValueForBlock(loop_.getLoopPreheader()));
    if (start && *start > 0) {
      counter_ = phi;
      step_ = step;
    }
    return start;
  }

  /// All iterations begin with blocks that end in the test, and what they do could be done again.
  [[nodiscard]] bool is_begin_of_iteration() {
    if (test_.inside->getSinglePredecessor() != test_.block) return false;
    const BasicBlock* next = nullptr;
    for (BasicBlock* block = test_.block; block != nullptr; block = block->getSinglePredecessor()) {
      for (const Instruction& i : *block) {
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
        if (i.mayHaveSideEffects() || (i.mayReadFromMemory() && (load == nullptr || !load->isSimple()))) return false;
      }
      for (const BasicBlock* successor : llvm::successors(block))
        if (next != nullptr && successor != next && loop_.contains(successor)) return false;
      begin_.insert(block);
      if (block == loop_.getHeader()) return true;
      next = block;
    }
    return false;
  }

  Value* limit(llvm::IRBuilder<>& b) const;
  Value* place(llvm::IRBuilder<>& b, bool sure) const;
  void copy_blocks();
  void count_from_first(Value& start);
  void test_first(Value& limit, BasicBlock& rest);
  void begin_rest(BasicBlock& rest);
  template <class T>
  T& copy_of(T& value) {
    return *llvm::cast<T>(static_cast<Value*>(map_.lookup(&value)));
  }

  llvm::Loop& loop_;
  const ItemLoop& items_;
  RowLines rows_;
  ExitTest test_;
  std::int64_t stride_ = 0;
  bool by_bound_ = false;                    ///< the bound differs, and not the number
  PHINode* counter_ = nullptr;               ///< the number's, if that differs
  Value* step_ = nullptr;                    ///< of it
  llvm::SmallPtrSet<BasicBlock*, 4> begin_;  ///< blocks up to the test
  llvm::ValueToValueMapTy map_;              ///< to the copy
  PHINode* first_ = nullptr;                 ///< counter of the first work-item
};

/// What the number of the first work-item is less than only if all work-items stay in the loop.
Value* CommonIterations::limit(llvm::IRBuilder<>& b) const {
  auto* type = llvm::cast<llvm::IntegerType>(test_.number->getType());
  const unsigned bits = type->getBitWidth();
  const auto number = [&](const llvm::APInt& value) { return llvm::ConstantInt::get(type, value); };
  const auto most_signed = llvm::APInt::getSignedMaxValue(bits);
  Value* span = b.CreateMul(b.CreateSub(items_.size, b.getInt64(1)), b.getInt64(static_cast<std::uint64_t>(stride_)));
  Value* valid = b.CreateICmpULE(span, b.getInt64(most_signed.getZExtValue()));
  span = b.CreateTrunc(span, type);
  Value* found = nullptr;
  if (by_bound_) {
    found = rows_.first(*test_.bound, b);
    Value* room = b.CreateSub(number(test_.is_signed ? most_signed : llvm::APInt::getMaxValue(bits)), span);
    valid = b.CreateAnd(valid, test_.is_signed ? b.CreateICmpSLE(found, room) : b.CreateICmpULE(found, room));
  } else {
    const auto difference = test_.is_signed ? llvm::Intrinsic::ssub_sat : llvm::Intrinsic::usub_sat;
    found = b.CreateBinaryIntrinsic(difference, test_.bound, span);
  }
  const auto least = test_.is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getZero(bits);
  return b.CreateSelect(valid, found, number(least), "common.limit");
}

/// The counter of a work-item. `sure`: all have passed the test, which says that it does not wrap if it is what is
/// tested. Where `counter + 2` is tested, the counter of a work-item may be behind the largest number.
Value* CommonIterations::place(llvm::IRBuilder<>& b, bool sure) const {
  Value* x = b.CreateTrunc(items_.id, first_->getType());
  if (stride_ != 1)
    x = b.CreateMul(x, llvm::ConstantInt::get(x->getType(), static_cast<std::uint64_t>(stride_)), "", sure, sure);
  return b.CreateAdd(first_, x, "", sure && !test_.is_signed, sure && test_.is_signed);
}

void CommonIterations::copy_blocks() {
  BasicBlock* header = loop_.getHeader();
  llvm::SmallVector<BasicBlock*> copies;
  for (BasicBlock* block : loop_.blocks()) {
    copies.push_back(llvm::CloneBasicBlock(block, map_, ".common", header->getParent()));
    map_[block] = copies.back();
    copies.back()->moveBefore(header);
  }
  llvm::remapInstructionsInBlocks(copies, map_);
  for (BasicBlock* block : loop_.blocks())
    for (BasicBlock* exit : llvm::successors(block)) {
      if (loop_.contains(exit) || block == test_.block) continue;
      for (PHINode& phi : exit->phis()) {
        Value* leaving = phi.getIncomingValueForBlock(block);
        Value* copied = map_.lookup(leaving);
        phi.addIncoming(copied != nullptr ? copied : leaving, &copy_of(*block));
      }
    }
}

/// Replaces the counter of the copy by the first work-item's.
void CommonIterations::count_from_first(Value& start) {
  PHINode& counter = copy_of(*counter_);
  BasicBlock& header = copy_of(*loop_.getHeader());
  BasicBlock& latch = copy_of(*loop_.getLoopLatch());
  llvm::IRBuilder<> b(&header, header.begin());
  first_ = b.CreatePHI(counter.getType(), 2, counter.getName() + ".first");
  first_->addIncoming(&start, loop_.getLoopPreheader());
  b.SetInsertPoint(latch.getTerminator());
  first_->addIncoming(b.CreateAdd(first_, step_), &latch);
  b.SetInsertPoint(&header, header.getFirstInsertionPt());
  Value* own = place(b, false);
  counter.replaceAllUsesWith(own);
  counter.eraseFromParent();
  BasicBlock& inside = copy_of(*test_.inside);
  b.SetInsertPoint(&inside, inside.getFirstInsertionPt());
  Value* sure = place(b, test_.number == counter_);
  llvm::SmallPtrSet<const BasicBlock*, 16> behind;
  for (BasicBlock* block : loop_.blocks())
    if (!begin_.contains(block)) behind.insert(&copy_of(*block));
  own->replaceUsesWithIf(sure, [&](const llvm::Use& use) {
    const auto* user = llvm::cast<Instruction>(use.getUser());
    const auto* phi = llvm::dyn_cast<PHINode>(user);
    return behind.contains(phi != nullptr ? phi->getIncomingBlock(use) : user->getParent()) &&
           (phi == nullptr || behind.contains(phi->getParent()) || phi->getParent() == &header);
  });
}

/// Asks in the copy for all work-items whether they stay.
void CommonIterations::test_first(Value& limit, BasicBlock& rest) {
  BasicBlock& block = copy_of(*test_.block);
  Instruction* old = block.getTerminator();
  llvm::IRBuilder<> b(old);
  Value* number = map_.lookup(test_.number);
  if (number == nullptr) number = test_.number;
  if (counter_ != nullptr) {
    number = first_;
    if (test_.number != counter_) number = b.CreateAdd(first_, llvm::cast<Instruction>(test_.number)->getOperand(1));
  }
  Value* stays = test_.is_signed ? b.CreateICmpSLT(number, &limit) : b.CreateICmpULT(number, &limit);
  b.CreateCondBr(stays, &copy_of(*test_.inside), &rest);
  old->eraseFromParent();
}

/// The loop itself begins with the iteration that the copy has not done.
void CommonIterations::begin_rest(BasicBlock& rest) {
  BasicBlock* before = loop_.getLoopPreheader();
  BasicBlock* header = loop_.getHeader();
  for (PHINode& phi : header->phis()) {
    phi.setIncomingValueForBlock(before, map_.lookup(&phi));
    phi.replaceIncomingBlockWith(before, &rest);
  }
  before->getTerminator()->replaceSuccessorWith(header, &copy_of(*header));
  llvm::BranchInst::Create(header, &rest);
  set_loop_properties(*loop_.getLoopLatch()->getTerminator(), {kNoUnrolling});
}

void CommonIterations::split() {
  BasicBlock* before = loop_.getLoopPreheader();
  BasicBlock* header = loop_.getHeader();
  llvm::IRBuilder<> b(before->getTerminator());
  Value* end = limit(b);
  Value* start = counter_ == nullptr ? nullptr : rows_.first(*counter_->getIncomingValueForBlock(before), b);
  copy_blocks();
  BasicBlock* rest = BasicBlock::Create(header->getContext(), header->getName() + ".rest", header->getParent(), header);
  if (start != nullptr) count_from_first(*start);
  test_first(*end, *rest);
  begin_rest(*rest);
}

}  // namespace

bool split_common_iterations(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    const llvm::Loop* around = items_metadata(*loop) == nullptr ? items_around(*loop) : nullptr;
    if (around == nullptr || sub_group_loop(*around).width != 0) continue;
    ItemLoop items{const_cast<llvm::Loop*>(around)};
    if (find_count(items).refused()) continue;
    CommonIterations iterations(*loop, items);
    if (!iterations.read()) continue;
    iterations.split();
    tally(Transformation::split_common_iterations);
    changed = true;
  }
  if (changed) analyses.invalidate(function, llvm::PreservedAnalyses::none());
  return changed;
}

}  // namespace lanewise::spmd

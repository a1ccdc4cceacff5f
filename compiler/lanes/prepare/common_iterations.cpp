// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/prepare/common_iterations.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

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

/// A test at the end of a block: where `number < bound`, `inside` comes next. It keeps a work-item in a loop, or in a
/// branch of an iteration.
struct LoopTest {
  BasicBlock* block = nullptr;
  BasicBlock* inside = nullptr;
  Value* number = nullptr;
  Value* bound = nullptr;
  bool is_signed = false;
};

/// Reads the test at the end of a block that leaves the loop.
std::optional<LoopTest> read_exit_test(const llvm::Loop& loop, BasicBlock& block) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (branch == nullptr || !branch->isConditional()) return std::nullopt;
  const bool stays_if = loop.contains(branch->getSuccessor(0));
  const auto* compare = llvm::dyn_cast<ICmpInst>(branch->getCondition());
  if (compare == nullptr || compare->isEquality() || stays_if == loop.contains(branch->getSuccessor(1)))
    return std::nullopt;
  auto predicate = stays_if ? compare->getPredicate() : compare->getInversePredicate();
  LoopTest test{&block, branch->getSuccessor(stays_if ? 0 : 1), compare->getOperand(0), compare->getOperand(1), false};
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
      const auto test = read_exit_test(loop_, *block);
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
    if (test_.block == nullptr || (!by_bound_ && counter_ == nullptr)) return false;
    if (!is_end_of_iteration() && !is_begin_of_iteration()) return false;
    if (!by_bound_) read_inner_tests();
    return true;
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

  /// A loop that tests at its end whether there is a next iteration: then the copy asks before each one.
  [[nodiscard]] bool is_end_of_iteration() {
    if (test_.block != loop_.getLoopLatch() || counter_ == nullptr || !is_left_by_phis()) return false;
    if (test_.number != counter_->getIncomingValueForBlock(test_.block)) return false;
    at_end_ = true;
    test_.number = counter_;
    return true;
  }

  [[nodiscard]] bool is_left_by_phis() const {
    for (const BasicBlock* block : loop_.blocks())
      for (const Instruction& i : *block)
        for (const llvm::Use& use : i.uses()) {
          const auto* user = llvm::cast<Instruction>(use.getUser());
          const auto* phi = llvm::dyn_cast<PHINode>(user);
          if (!loop_.contains(user) && (phi == nullptr || !loop_.contains(phi->getIncomingBlock(use)))) return false;
        }
    return true;
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

  /// Tests that split an iteration, of the counter as well, with what is the same for all work-items.
  void read_inner_tests() {
    for (BasicBlock* block : loop_.blocks()) {
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      if (branch == nullptr || !branch->isConditional() || loop_.isLoopExiting(block)) continue;
      auto* compare = llvm::dyn_cast<ICmpInst>(branch->getCondition());
      if (compare == nullptr || compare->isEquality() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
      const bool greater = ICmpInst::isGT(compare->getPredicate()) || ICmpInst::isGE(compare->getPredicate());
      Value* low = compare->getOperand(greater ? 1 : 0);
      Value* high = compare->getOperand(greater ? 0 : 1);
      if (counts(*low) && is_shared(*high))
        inner_.push_back({block, branch->getSuccessor(0), low, high, compare->isSigned()});
      else if (counts(*high) && is_shared(*low))
        inner_.push_back({block, branch->getSuccessor(1), high, low, compare->isSigned()});
    }
  }

  [[nodiscard]] bool is_shared(const Value& v) const { return loop_.isLoopInvariant(&v) && rows_.of(v) == Stride(0); }

  /// Whether it is the counter, or the counter and something that is the same for all work-items.
  [[nodiscard]] bool counts(const Value& number) const {
    const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&number);
    return &number == counter_ || (sum != nullptr && sum->getOpcode() == Instruction::Add &&
                                   sum->getOperand(0) == counter_ && is_shared(*sum->getOperand(1)));
  }

  Value* limit(llvm::IRBuilder<>& b, const LoopTest& test) const;
  Value* first_number(llvm::IRBuilder<>& b, const LoopTest& test) const;
  Value* place(llvm::IRBuilder<>& b, Value* first, bool sure, bool is_signed) const;
  void copy_blocks();
  void count_from_first(Value& start);
  void test_first(llvm::ArrayRef<Value*> limits, BasicBlock& rest);
  void pass_inner_tests();
  void ask_at_begin();
  void begin_rest(BasicBlock& rest);
  void leave_or_begin(BasicBlock& rest);
  Value* left_with(Value& v);
  template <class T>
  T& copy_of(T& value) {
    return *llvm::cast<T>(static_cast<Value*>(map_.lookup(&value)));
  }

  llvm::Loop& loop_;
  const ItemLoop& items_;
  RowLines rows_;
  LoopTest test_;
  llvm::SmallVector<LoopTest, 2> inner_;
  std::int64_t stride_ = 0;
  bool by_bound_ = false;                    ///< the bound differs, and not the number
  PHINode* counter_ = nullptr;               ///< the number's, if that differs
  Value* step_ = nullptr;                    ///< of it
  llvm::SmallPtrSet<BasicBlock*, 4> begin_;  ///< blocks up to the test
  llvm::ValueToValueMapTy map_;              ///< to the copy
  PHINode* first_ = nullptr;                 ///< counter of the first work-item
  bool at_end_ = false;                      ///< the test is behind an iteration
  BasicBlock* head_ = nullptr;               ///< of the copy: its phis and, if the loop's is at the end, the test
};

/// What the number of the first work-item is less than only if all work-items stay in the loop. The copy may ask for it
/// where the loop has not asked yet, or never does: then the bound may have no value.
Value* CommonIterations::limit(llvm::IRBuilder<>& b, const LoopTest& test) const {
  auto* type = llvm::cast<llvm::IntegerType>(test.number->getType());
  const unsigned bits = type->getBitWidth();
  const auto number = [&](const llvm::APInt& value) { return llvm::ConstantInt::get(type, value); };
  const auto most_signed = llvm::APInt::getSignedMaxValue(bits);
  Value* span = b.CreateMul(b.CreateSub(items_.size, b.getInt64(1)), b.getInt64(static_cast<std::uint64_t>(stride_)));
  Value* valid = b.CreateICmpULE(span, b.getInt64(most_signed.getZExtValue()));
  span = b.CreateTrunc(span, type);
  Value* found = nullptr;
  if (by_bound_) {
    found = rows_.first(*test.bound, b);
    Value* room = b.CreateSub(number(test.is_signed ? most_signed : llvm::APInt::getMaxValue(bits)), span);
    valid = b.CreateAnd(valid, test.is_signed ? b.CreateICmpSLE(found, room) : b.CreateICmpULE(found, room));
  } else {
    const auto difference = test.is_signed ? llvm::Intrinsic::ssub_sat : llvm::Intrinsic::usub_sat;
    const bool is_asked = test.block == test_.block && !at_end_;
    found = b.CreateBinaryIntrinsic(difference, is_asked ? test.bound : b.CreateFreeze(test.bound), span);
  }
  const auto least = test.is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getZero(bits);
  return b.CreateSelect(valid, found, number(least), "common.limit");
}

/// A work-item's number, made from that of the first one. `sure`: all have passed the test of it, which says that it
/// does not wrap. Where `counter + 2` is tested, the counter of a work-item may be behind the largest number.
Value* CommonIterations::place(llvm::IRBuilder<>& b, Value* first, bool sure, bool is_signed) const {
  Value* x = b.CreateTrunc(items_.id, first->getType());
  if (stride_ != 1)
    x = b.CreateMul(x, llvm::ConstantInt::get(x->getType(), static_cast<std::uint64_t>(stride_)), "", sure, sure);
  return b.CreateAdd(first, x, "", sure && !is_signed, sure && is_signed);
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
  BasicBlock& latch = copy_of(*loop_.getLoopLatch());
  llvm::IRBuilder<> b(head_, head_->begin());
  first_ = b.CreatePHI(counter.getType(), 2, counter.getName() + ".first");
  first_->addIncoming(&start, loop_.getLoopPreheader());
  b.SetInsertPoint(latch.getTerminator());
  first_->addIncoming(b.CreateAdd(first_, step_), &latch);
  b.SetInsertPoint(head_, head_->getFirstInsertionPt());
  Value* own = place(b, first_, false, false);
  counter.replaceAllUsesWith(own);
  counter.eraseFromParent();
  BasicBlock& inside = copy_of(*test_.inside);
  b.SetInsertPoint(&inside, inside.getFirstInsertionPt());
  Value* sure = place(b, first_, test_.number == counter_, test_.is_signed);
  llvm::SmallPtrSet<const BasicBlock*, 16> behind;
  for (BasicBlock* block : loop_.blocks())
    if (!begin_.contains(block)) behind.insert(&copy_of(*block));
  own->replaceUsesWithIf(sure, [&](const llvm::Use& use) {
    const auto* user = llvm::cast<Instruction>(use.getUser());
    const auto* phi = llvm::dyn_cast<PHINode>(user);
    return behind.contains(phi != nullptr ? phi->getIncomingBlock(use) : user->getParent()) &&
           (phi == nullptr || behind.contains(phi->getParent()) || phi->getParent() == head_);
  });
}

/// What is tested, of the first work-item in the copy. A work-item may never come to an inner test, so what only that
/// one asks for may have no value.
Value* CommonIterations::first_number(llvm::IRBuilder<>& b, const LoopTest& test) const {
  if (counter_ == nullptr) {
    Value* copied = map_.lookup(test.number);
    return copied != nullptr ? copied : test.number;
  }
  if (test.number == counter_) return first_;
  Value* more = llvm::cast<Instruction>(test.number)->getOperand(1);
  return b.CreateAdd(first_, test.block == test_.block ? more : b.CreateFreeze(more));
}

/// Asks in the copy for all work-items whether they stay, and whether they pass the inner tests.
void CommonIterations::test_first(llvm::ArrayRef<Value*> limits, BasicBlock& rest) {
  Instruction* old = (at_end_ ? *head_ : copy_of(*test_.block)).getTerminator();
  llvm::IRBuilder<> b(old);
  Value* all = nullptr;
  const auto demand = [&](const LoopTest& test, Value* limit) {
    Value* number = first_number(b, test);
    Value* passes = test.is_signed ? b.CreateICmpSLT(number, limit) : b.CreateICmpULT(number, limit);
    all = all == nullptr ? passes : b.CreateAnd(all, passes);
  };
  demand(test_, limits.front());
  for (const auto& [test, limit] : llvm::zip(inner_, limits.drop_front())) demand(test, limit);
  b.CreateCondBr(all, &copy_of(*test_.inside), &rest);
  old->eraseFromParent();
}

/// The copy has no inner tests. What they compare does not wrap behind the first test; several may compare one number.
void CommonIterations::pass_inner_tests() {
  llvm::SmallPtrSet<const Value*, 2> placed;
  for (const LoopTest& test : inner_) {
    BasicBlock& block = copy_of(*test.block);
    auto* branch = llvm::cast<llvm::BranchInst>(block.getTerminator());
    const bool first = branch->getSuccessor(0) == &copy_of(*test.inside);
    branch->setCondition(llvm::ConstantInt::getBool(block.getContext(), first));
    llvm::ConstantFoldTerminator(&block);
    if (test.number == counter_ || begin_.contains(llvm::cast<Instruction>(test.number)->getParent())) continue;
    if (!placed.insert(test.number).second) continue;
    Instruction& number = copy_of(*llvm::cast<Instruction>(test.number));
    llvm::IRBuilder<> b(&number);
    number.replaceAllUsesWith(place(b, b.CreateAdd(first_, number.getOperand(1)), true, test.is_signed));
  }
}

/// Gives the copy of a loop that tests at its end a block in front of each iteration, for phis and test.
void CommonIterations::ask_at_begin() {
  BasicBlock* header = head_;
  BasicBlock& latch = copy_of(*test_.block);
  head_ = BasicBlock::Create(header->getContext(), header->getName() + ".head", header->getParent(), header);
  head_->splice(head_->end(), header, header->begin(), header->getFirstNonPHIIt());
  llvm::BranchInst::Create(header, head_);
  latch.getTerminator()->eraseFromParent();
  llvm::BranchInst::Create(head_, &latch);
}

/// The value with which the copy's last iteration would have left the loop, in its head.
Value* CommonIterations::left_with(Value& v) {
  const auto* i = llvm::dyn_cast<Instruction>(&v);
  if (i == nullptr || !loop_.contains(i)) return &v;
  for (PHINode& phi : loop_.getHeader()->phis())
    if (phi.getIncomingValueForBlock(test_.block) == &v) return map_.lookup(&phi);
  llvm::IRBuilder<> b(head_, head_->begin());
  PHINode* kept = b.CreatePHI(v.getType(), 2);
  kept->addIncoming(llvm::PoisonValue::get(v.getType()), loop_.getLoopPreheader());
  kept->addIncoming(map_.lookup(&v), &copy_of(*test_.block));
  return kept;
}

/// A work-item may have done its last iteration in the copy. It has one in any case, as it comes to the loop.
void CommonIterations::leave_or_begin(BasicBlock& rest) {
  auto* latch = llvm::cast<llvm::BranchInst>(test_.block->getTerminator());
  const bool stays_if = latch->getSuccessor(0) == loop_.getHeader();
  BasicBlock* exit = latch->getSuccessor(stays_if ? 1 : 0);
  for (PHINode& phi : exit->phis()) phi.addIncoming(left_with(*phi.getIncomingValueForBlock(test_.block)), &rest);
  Value* condition = latch->getCondition();
  llvm::IRBuilder<> b(head_, head_->begin());
  PHINode* stays = b.CreatePHI(b.getInt1Ty(), 2, "stays");
  stays->addIncoming(b.getInt1(stays_if), loop_.getLoopPreheader());
  stays->addIncoming(map_.lookup(condition), &copy_of(*test_.block));
  b.SetInsertPoint(&rest);
  b.CreateCondBr(stays, latch->getSuccessor(0), latch->getSuccessor(1));
}

/// The loop itself begins with the iteration that the copy has not done.
void CommonIterations::begin_rest(BasicBlock& rest) {
  BasicBlock* before = loop_.getLoopPreheader();
  BasicBlock* header = loop_.getHeader();
  if (at_end_)
    leave_or_begin(rest);
  else
    llvm::BranchInst::Create(header, &rest);
  for (PHINode& phi : header->phis()) {
    phi.setIncomingValueForBlock(before, map_.lookup(&phi));
    phi.replaceIncomingBlockWith(before, &rest);
  }
  before->getTerminator()->replaceSuccessorWith(header, head_);
  set_loop_properties(*loop_.getLoopLatch()->getTerminator(), {kNoUnrolling});
}

void CommonIterations::split() {
  BasicBlock* before = loop_.getLoopPreheader();
  BasicBlock* header = loop_.getHeader();
  llvm::IRBuilder<> b(before->getTerminator());
  llvm::SmallVector<Value*> limits{limit(b, test_)};
  for (const LoopTest& test : inner_) limits.push_back(limit(b, test));
  Value* start = counter_ == nullptr ? nullptr : rows_.first(*counter_->getIncomingValueForBlock(before), b);
  copy_blocks();
  head_ = &copy_of(*header);
  if (at_end_) ask_at_begin();
  BasicBlock* rest = BasicBlock::Create(header->getContext(), header->getName() + ".rest", header->getParent(), header);
  if (start != nullptr) count_from_first(*start);
  test_first(limits, *rest);
  pass_inner_tests();
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
    llvm::removeUnreachableBlocks(function);
    tally(Transformation::split_common_iterations);
    changed = true;
  }
  if (changed) analyses.invalidate(function, llvm::PreservedAnalyses::none());
  return changed;
}

}  // namespace lanewise::spmd

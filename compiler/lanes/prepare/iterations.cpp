// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/prepare/iterations.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <memory>

#include "compiler/base/loop_properties.h"
#include "compiler/base/loop_rotation.h"
#include "compiler/base/marks.h"
#include "compiler/kernel/distribute_extensions.h"
#include "compiler/lanes/analysis/independence.h"
#include "compiler/lanes/analysis/item_loop.h"
#include "compiler/lanes/prepare/loop_sums.h"
#include "compiler/lanes/prepare/normalise.h"

namespace lanewise::spmd {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::PHINode;
using llvm::Value;

/// Fewer iterations fill no vector.
constexpr unsigned kFewest = 8;
/// Each sum has so many numbers on the stack.
constexpr unsigned kMost = 256;

/// Additions wait for each other; with fewer instructions between them, what comes next begins meanwhile.
constexpr unsigned kUnrolled = 8;

/// What a loop carries from one iteration to the next.
struct Carried {
  unsigned iterations = 0;
  llvm::SmallVector<std::unique_ptr<LoopSum>, 4> sums;
  llvm::SmallVector<PHINode*, 2> lines;   ///< integers or pointers that go on by the same distance each time
  llvm::SmallVector<PHINode*, 2> shifts;  ///< masks of bits, whose lowest ones go each time
};

const llvm::SCEVAddRecExpr* line_of(PHINode& phi, const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  if (!evolution.isSCEVable(phi.getType())) return nullptr;
  const auto* line = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(&phi));
  return line != nullptr && line->getLoop() == &loop && line->isAffine() ? line : nullptr;
}

/// The number of bits by which the phi is shifted to the right in each iteration; 0 if it is not.
unsigned shift_of(const PHINode& phi, const llvm::Loop& loop) {
  const auto* shift = llvm::dyn_cast<Instruction>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  if (shift == nullptr || shift->getOpcode() != Instruction::LShr || shift->getOperand(0) != &phi) return 0;
  const auto* bits = llvm::dyn_cast<llvm::ConstantInt>(shift->getOperand(1));
  return bits == nullptr ? 0 : static_cast<unsigned>(bits->getLimitedValue(phi.getType()->getIntegerBitWidth()));
}

/// Only the sums leave the loop.
bool others_stay(const llvm::Loop& loop, const Carried& carried) {
  for (const PHINode& phi : loop.getUniqueExitBlock()->phis()) {
    const auto* v = llvm::dyn_cast<Instruction>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
    if (v == nullptr || !loop.contains(v)) continue;
    if (llvm::none_of(carried.sums, [&](const auto& sum) { return &sum->next() == v; })) return false;
  }
  return true;
}

/// A phi that each iteration passes on as it is: a component of a vector of sums.
void drop_unchanged(const llvm::Loop& loop) {
  for (PHINode& phi : llvm::make_early_inc_range(loop.getHeader()->phis())) {
    Value* before = phi.getIncomingValueForBlock(loop.getLoopPreheader());
    llvm::SmallPtrSet<Value*, 4> same{&phi};
    llvm::SmallVector<PHINode*, 4> open;
    const auto is_same = [&](Value* v) {
      if (v == before || same.contains(v)) return true;
      auto* merge = llvm::dyn_cast<PHINode>(v);
      if (merge == nullptr || !loop.contains(merge) || merge->getParent() == loop.getHeader()) return false;
      same.insert(merge);
      open.push_back(merge);
      return true;
    };
    bool unchanged = is_same(phi.getIncomingValueForBlock(loop.getLoopLatch()));
    while (unchanged && !open.empty()) {
      PHINode* merge = open.pop_back_val();
      unchanged = llvm::all_of(merge->incoming_values(), [&](const llvm::Use& use) { return is_same(use.get()); });
    }
    if (!unchanged) continue;
    for (Value* v : same) v->replaceAllUsesWith(before);
    for (Value* v : same) llvm::cast<PHINode>(v)->eraseFromParent();
  }
}

bool find_carried(const llvm::Loop& loop, llvm::ScalarEvolution& evolution, Carried& carried) {
  carried.iterations = evolution.getSmallConstantTripCount(&loop);
  if (carried.iterations < kFewest || carried.iterations > kMost) return false;
  bool orders = false;
  for (PHINode& phi : loop.getHeader()->phis()) {
    if (line_of(phi, loop, evolution) != nullptr) {
      carried.lines.push_back(&phi);
      continue;
    }
    const unsigned shift = phi.getType()->isIntegerTy() ? shift_of(phi, loop) : 0;
    if (shift != 0 && shift * (carried.iterations - 1) < phi.getType()->getIntegerBitWidth()) {
      carried.shifts.push_back(&phi);
      continue;
    }
    auto sum = std::make_unique<LoopSum>(loop, phi);
    if (!sum->is_valid()) return false;
    orders |= phi.getType()->isFloatingPointTy();
    carried.sums.push_back(std::move(sum));
  }
  return orders;
}

/// Arrays for what iterations add, which all loops of a function use one after the other.
class Addends {
 public:
  /// @param number  of the sum in its loop
  Value* place(llvm::Function& function, llvm::Type& type, unsigned number) {
    Value*& place = places_[{&type, number}];
    if (place != nullptr) return place;
    BasicBlock& entry = function.getEntryBlock();
    auto* array =
        IRBuilder<>(&entry, entry.begin()).CreateAlloca(llvm::ArrayType::get(&type, kMost), nullptr, "addends");
    array->setAlignment(llvm::Align(64));
    return place = array;
  }

 private:
  llvm::DenseMap<std::pair<llvm::Type*, unsigned>, Value*> places_;
};

/// Splits a loop in two: one that computes what each iteration adds, and one that adds it.
class Split {
 public:
  Split(llvm::Loop& loop, Carried& carried, llvm::ScalarEvolution& evolution, Addends& addends)
      : loop_(loop), carried_(carried), evolution_(evolution), addends_(addends) {}

  /// @returns the loop that adds up
  BasicBlock* run() {
    replace_lines();
    llvm::SmallVector<Value*, 4> stored;
    for (const auto& sum : carried_.sums) stored.push_back(store_addend(*sum, static_cast<unsigned>(stored.size())));
    end_items();
    return add_up(stored);
  }

 private:
  [[nodiscard]] IRBuilder<> at_begin() const { return {header_, header_->getFirstInsertionPt()}; }

  /// The numbers of an iteration, each computed from the iteration's own.
  void replace_lines() {
    IRBuilder<> b(header_, header_->begin());
    id_ = b.CreatePHI(b.getInt64Ty(), 2, "iteration");
    id_->addIncoming(b.getInt64(0), loop_.getLoopPreheader());
    llvm::SCEVExpander expander(evolution_, "iteration");
    Instruction* before = loop_.getLoopPreheader()->getTerminator();
    llvm::SmallVector<std::pair<PHINode*, Value*>, 2> replaced;
    for (PHINode* phi : carried_.lines) {
      const auto* line = line_of(*phi, loop_, evolution_);
      const llvm::SCEV* step = line->getStepRecurrence(evolution_);
      Value* distance = expander.expandCodeFor(step, step->getType(), before);
      replaced.push_back({phi, on_line(*line, phi->getIncomingValueForBlock(loop_.getLoopPreheader()), distance)});
    }
    for (PHINode* phi : carried_.shifts) replaced.push_back({phi, shifted(*phi)});
    for (const auto& [phi, value] : replaced) {
      phi->replaceAllUsesWith(value);
      phi->eraseFromParent();
    }
  }

  Value* on_line(const llvm::SCEVAddRecExpr& line, Value* start, Value* distance) {
    IRBuilder<> b = at_begin();
    if (start->getType()->isPointerTy())
      return b.CreatePtrAdd(start, b.CreateMul(id_, b.CreateSExtOrTrunc(distance, b.getInt64Ty())));
    Value* number = id_;
    if (auto* narrow = llvm::dyn_cast<Instruction>(b.CreateZExtOrTrunc(id_, start->getType()));
        narrow != nullptr && narrow != id_) {
      const bool fits = start->getType()->getIntegerBitWidth() >= 16;
      if (fits && llvm::isa<llvm::TruncInst>(narrow)) {
        narrow->setHasNoSignedWrap();
        narrow->setHasNoUnsignedWrap();
      }
      number = narrow;
    }
    const auto* fixed = llvm::dyn_cast<llvm::ConstantInt>(distance);
    if (fixed == nullptr || !fixed->isOne()) return b.CreateAdd(start, b.CreateMul(number, distance));
    const auto* zero = llvm::dyn_cast<llvm::ConstantInt>(start);
    if (zero != nullptr && zero->isZero()) return number;
    return b.CreateAdd(start, number, "", line.hasNoUnsignedWrap(), line.hasNoSignedWrap());
  }

  Value* shifted(const PHINode& phi) {
    IRBuilder<> b = at_begin();
    Value* bits = b.CreateMul(b.CreateZExtOrTrunc(id_, phi.getType()),
                              llvm::ConstantInt::get(phi.getType(), shift_of(phi, loop_)));
    return b.CreateLShr(phi.getIncomingValueForBlock(loop_.getLoopPreheader()), bits);
  }

  /// Stores what an iteration adds. The sum itself leaves the loop. @returns where it is stored
  Value* store_addend(LoopSum& sum, unsigned number) {
    Value* addend = sum.addend();
    llvm::Type* type = sum.phi().getType();
    Value* place = addends_.place(*header_->getParent(), *type, number);
    IRBuilder<> b(latch_->getTerminator());
    b.CreateStore(addend, b.CreateInBoundsGEP(type, place, id_));
    return place;
  }

  void end_items() {
    exit_ = loop_.getUniqueExitBlock();
    behind_ = BasicBlock::Create(header_->getContext(), header_->getName() + ".items.end", header_->getParent(), exit_);
    latch_->getTerminator()->eraseFromParent();
    IRBuilder<> b(latch_);
    Value* next = b.CreateNUWAdd(id_, b.getInt64(1));
    id_->addIncoming(next, latch_);
    auto* branch = b.CreateCondBr(b.CreateICmpULT(next, b.getInt64(carried_.iterations)), header_, behind_);
    llvm::LLVMContext& c = branch->getContext();
    llvm::MDNode* mark = llvm::MDNode::get(c, llvm::MDString::get(c, marks::kItems));
    branch->setMetadata(llvm::LLVMContext::MD_loop, llvm::makePostTransformationMetadata(c, nullptr, {}, mark));
  }

  BasicBlock* add_up(llvm::ArrayRef<Value*> stored) {
    BasicBlock* sums =
        BasicBlock::Create(header_->getContext(), header_->getName() + ".sums", header_->getParent(), exit_);
    llvm::BranchInst::Create(sums, behind_);
    IRBuilder<> b(sums);
    PHINode* number = b.CreatePHI(b.getInt64Ty(), 2);
    number->addIncoming(b.getInt64(0), behind_);
    llvm::SmallVector<PHINode*, 4> carried;
    for (const auto& sum : carried_.sums) {
      carried.push_back(b.CreatePHI(sum->phi().getType(), 2, sum->phi().getName()));
      carried.back()->addIncoming(sum->phi().getIncomingValueForBlock(loop_.getLoopPreheader()), behind_);
    }
    for (const auto& [sum, phi, place] : llvm::zip_equal(carried_.sums, carried, stored)) {
      llvm::Type* type = phi->getType();
      Value* addend = b.CreateLoad(type, b.CreateInBoundsGEP(type, place, number));
      Value* next = type->isIntegerTy() ? b.CreateAdd(phi, addend) : b.CreateFAdd(phi, addend);
      phi->addIncoming(next, sums);
      finish(*sum, *next);
    }
    Value* next = b.CreateNUWAdd(number, b.getInt64(1));
    number->addIncoming(next, sums);
    llvm::Instruction& latch = *b.CreateCondBr(b.CreateICmpULT(next, b.getInt64(carried_.iterations)), sums, exit_);
    // Not completely: numbers of vectors just stored would be taken out of them one by one, instead of loaded.
    set_loop_properties(latch, {kNoVectors, {"llvm.loop.unroll.count", kUnrolled}});
    for (PHINode& phi : exit_->phis()) phi.replaceIncomingBlockWith(latch_, sums);
    return sums;
  }

  /// Who used the sum after the loop has the new one; what is left of the old one is not used any more.
  void finish(const LoopSum& sum, Value& result) const {
    for (PHINode& phi : exit_->phis())
      if (phi.getIncomingValueForBlock(latch_) == &sum.next()) phi.setIncomingValueForBlock(latch_, &result);
    sum.phi().replaceAllUsesWith(llvm::PoisonValue::get(sum.phi().getType()));
    sum.phi().eraseFromParent();
  }

  llvm::Loop& loop_;
  Carried& carried_;
  llvm::ScalarEvolution& evolution_;
  Addends& addends_;
  BasicBlock* header_ = loop_.getHeader();
  BasicBlock* latch_ = loop_.getLoopLatch();
  BasicBlock* exit_ = nullptr;
  BasicBlock* behind_ = nullptr;
  PHINode* id_ = nullptr;
};

bool may_be_spread(const llvm::Loop& loop) {
  return loop.isInnermost() && loop.isLoopSimplifyForm() && loop.getExitingBlock() != nullptr &&
         llvm::any_of(loop.getHeader()->phis(), [](const PHINode& phi) { return phi.getType()->isFloatingPointTy(); });
}

class Spreader {
 public:
  Spreader(llvm::Function& function, llvm::FunctionAnalysisManager& analyses, llvm::function_ref<bool(unsigned)> wanted)
      : function_(function), analyses_(analyses), wanted_(wanted) {}

  std::vector<IterationLoop> run() {
    while (llvm::Loop* loop = next_candidate()) {
      spread(*loop);
      analyses_.invalidate(function_, llvm::PreservedAnalyses::none());
    }
    if (!found_.empty()) tidy();
    return std::move(found_);
  }

 private:
  llvm::Loop* next_candidate() {
    for (llvm::Loop* loop : analyses_.getResult<llvm::LoopAnalysis>(function_).getLoopsInPreorder())
      if (may_be_spread(*loop) && seen_.insert(loop->getHeader()).second) return loop;
    return nullptr;
  }

  void spread(llvm::Loop& loop) {
    const bool rotated = rotate(loop, function_, analyses_);
    restore_form(loop, function_, analyses_);
    seen_.insert(loop.getHeader());
    drop_unchanged(loop);
    auto& evolution = analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function_);
    evolution.forgetLoop(&loop);
    Carried carried;
    if (!rotated || !loop.hasDedicatedExits() || !find_carried(loop, evolution, carried) ||
        !others_stay(loop, carried) || !has_independent_iterations(loop, carried.iterations, evolution) ||
        !wanted_(count_++))
      return;
    found_.push_back({.name = loop.getHeader()->getName().str(), .sums = static_cast<unsigned>(carried.sums.size())});
    seen_.insert(Split(loop, carried, evolution, addends_).run());
  }

  /// Back to the form that the analysis expects.
  void tidy() {
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::DCEPass());
    passes.addPass(llvm::LoopSimplifyPass());
    passes.addPass(llvm::LCSSAPass());
    passes.run(function_, analyses_);
    distribute_extensions(function_);
    analyses_.invalidate(function_, llvm::PreservedAnalyses::none());
  }

  llvm::Function& function_;
  llvm::FunctionAnalysisManager& analyses_;
  llvm::function_ref<bool(unsigned)> wanted_;
  llvm::SmallPtrSet<const BasicBlock*, 16> seen_;
  Addends addends_;
  std::vector<IterationLoop> found_;
  unsigned count_ = 0;
};

/// The function's work-items run one after the other.
void forget_items(llvm::Function& function, const llvm::LoopInfo& loops) {
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (items_metadata(*loop) != nullptr) set_loop_properties(*loop->getLoopLatch()->getTerminator(), {});
  for (Instruction& i : function.getEntryBlock()) i.setMetadata(marks::kPrivate, nullptr);
}

}  // namespace

std::vector<IterationLoop> spread_iterations(llvm::Function& function, llvm::FunctionAnalysisManager& analyses,
                                             llvm::function_ref<bool(unsigned)> wanted) {
  forget_items(function, analyses.getResult<llvm::LoopAnalysis>(function));
  return Spreader(function, analyses, wanted).run();
}

llvm::PreservedAnalyses SpreadIterationsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  normalise(function, analyses);
  (void)spread_iterations(function, analyses, [](unsigned) { return true; });
  return llvm::PreservedAnalyses::none();
}

}  // namespace lanewise::spmd

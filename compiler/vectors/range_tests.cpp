// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectors/range_tests.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/base/context.h"
#include "compiler/base/loop_motion.h"

namespace lanewise {
namespace {

using llvm::ICmpInst;
using llvm::Instruction;
using llvm::Value;

/// A comparison of a number that counts with one that stays.
struct Test {
  const llvm::SCEVAddRecExpr* number = nullptr;
  Value* limit = nullptr;
  llvm::CmpPredicate predicate = ICmpInst::BAD_ICMP_PREDICATE;
};

class RangeTests {
 public:
  RangeTests(llvm::Loop& loop, llvm::ScalarEvolution& evolution, const RangeTestLimits& limits)
      : loop_(loop), evolution_(evolution), limits_(limits), turns_(evolution.getBackedgeTakenCount(&loop)) {}

  void hoist() {
    if (llvm::isa<llvm::SCEVCouldNotCompute>(turns_)) return;
    for (llvm::BasicBlock* block : loop_.blocks()) {
      auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      if (branch == nullptr || !branch->isConditional() || loop_.isLoopExiting(block)) continue;
      llvm::SmallVector<Test> tests;
      if (loop_.isLoopInvariant(branch->getCondition()) || !divide(*branch->getCondition(), tests)) continue;
      if (Value* all = make(tests)) {
        llvm::IRBuilder<> b(branch);
        branch->setCondition(b.CreateLogicalOr(all, branch->getCondition()));
      }
    }
  }

 private:
  /// The comparisons that are all to be true; false if it is something else.
  bool divide(Value& condition, llvm::SmallVectorImpl<Test>& tests) {
    using namespace llvm::PatternMatch;
    constexpr unsigned kMostTests = 8;
    Value* a = nullptr;
    Value* b = nullptr;
    if (match(&condition, m_Freeze(m_Value(a)))) return divide(*a, tests);
    if (match(&condition, m_One())) return true;
    if (match(&condition, m_LogicalAnd(m_Value(a), m_Value(b)))) return divide(*a, tests) && divide(*b, tests);
    auto* comparison = llvm::dyn_cast<ICmpInst>(&condition);
    if (comparison == nullptr || !comparison->isRelational() || tests.size() == kMostTests) return false;
    Test test{nullptr, comparison->getOperand(1), comparison->getCmpPredicate()};
    Value* number = comparison->getOperand(0);
    if (loop_.isLoopInvariant(number)) {
      std::swap(number, test.limit);
      test.predicate = ICmpInst::getSwappedCmpPredicate(test.predicate);
    }
    // Narrower ones could come around.
    if (!loop_.isLoopInvariant(test.limit) || !number->getType()->isIntegerTy() ||
        number->getType()->getIntegerBitWidth() < limits_.least_bits)
      return false;
    test.number = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(number));
    if (test.number == nullptr || test.number->getLoop() != &loop_ || !test.number->isAffine()) return false;
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(test.number->getStepRecurrence(evolution_));
    if (step == nullptr || step->getAPInt().abs().ugt(limits_.largest_step)) return false;
    tests.push_back(test);
    return true;
  }

  /// An i1 before the loop: all tests hold in all iterations; null if it cannot be computed there.
  Value* make(llvm::ArrayRef<Test> tests) {
    Instruction* place = loop_.getLoopPreheader()->getTerminator();
    llvm::SCEVExpander expander(evolution_, "interior");
    llvm::SmallVector<std::pair<const llvm::SCEV*, const llvm::SCEV*>> ends;
    for (const Test& test : tests)
      ends.push_back({test.number->getStart(), test.number->evaluateAtIteration(turns_, evolution_)});
    bool safe = expander.isSafeToExpandAt(turns_, place);
    for (const auto& [first, last] : ends)
      safe &= expander.isSafeToExpandAt(first, place) && expander.isSafeToExpandAt(last, place);
    if (!safe || tests.empty()) return nullptr;
    llvm::IRBuilder<> b(place);
    Value* turns = expander.expandCodeFor(turns_, turns_->getType(), place);
    // A narrower count than the limit is below it.
    const bool countable = turns->getType()->getIntegerBitWidth() > llvm::Log2_64(limits_.most_turns);
    Value* all =
        countable ? b.CreateICmpULE(turns, llvm::ConstantInt::get(turns->getType(), limits_.most_turns)) : b.getTrue();
    for (const auto& [test, end] : llvm::zip(tests, ends)) {
      Value* first = expander.expandCodeFor(end.first, test.number->getType(), place);
      Value* last = expander.expandCodeFor(end.second, test.number->getType(), place);
      b.SetInsertPoint(place);
      for (Value* number : {first, last}) all = b.CreateAnd(all, b.CreateICmp(test.predicate, number, test.limit));
      all = b.CreateAnd(all, b.CreateICmp(order(test), first, last));
    }
    return b.CreateFreeze(all);
  }

  /// Of the first number and the last one, if none between them wraps: on their way they pass less than half of all
  /// numbers.
  ICmpInst::Predicate order(const Test& test) {
    const bool down = evolution_.isKnownNegative(test.number->getStepRecurrence(evolution_));
    if (ICmpInst::isSigned(test.predicate)) return down ? ICmpInst::ICMP_SGE : ICmpInst::ICMP_SLE;
    return down ? ICmpInst::ICMP_UGE : ICmpInst::ICMP_ULE;
  }

  llvm::Loop& loop_;
  llvm::ScalarEvolution& evolution_;
  const RangeTestLimits& limits_;
  const llvm::SCEV* turns_;
};

}  // namespace

void hoist_range_tests(llvm::Function& function, llvm::FunctionAnalysisManager& analyses,
                       const RangeTestLimits& limits) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  auto& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    // A loop of two blocks has nothing but its exit to decide.
    if (!loop->isInnermost() || loop->getNumBlocks() < 3) continue;
    llvm::simplifyLoop(loop, &dominators, &loops, &evolution, &assumptions, nullptr, false);
    if (loop->getLoopPreheader() == nullptr) continue;
    if (hoist_invariants(*loop)) evolution.forgetLoop(loop);
    RangeTests(*loop, evolution, limits).hoist();
  }
}

llvm::PreservedAnalyses HoistRangeTestsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  llvm::FunctionAnalysisManager& functions = function_analyses(module, analyses);
  for (llvm::Function* function : lowered_kernels(module, context_of(module, analyses)))
    hoist_range_tests(*function, functions);
  return llvm::PreservedAnalyses::none();
}

}  // namespace lanewise

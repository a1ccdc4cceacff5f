// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/loop_counters.h"

#include <llvm/ADT/SmallSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/loop_properties.h"

namespace lanewise {
namespace {

/// Collects how many bits the counters of a loop have that are extended.
class CounterBits {
 public:
  CounterBits(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) : loop_(loop), evolution_(evolution) {}

  void add(llvm::Value& value) {
    if (evolution_.isSCEVable(value.getType())) llvm::visitAll(evolution_.getSCEV(&value), *this);
  }
  [[nodiscard]] bool differ() const { return found_.size() > 1; }

  // What visitAll asks for.
  bool follow(const llvm::SCEV* part) {
    const auto* extension = llvm::dyn_cast<llvm::SCEVIntegralCastExpr>(part);
    if (extension == nullptr || llvm::isa<llvm::SCEVTruncateExpr>(extension)) return true;
    const llvm::SCEV* number = extension->getOperand();
    if (llvm::SCEVExprContains(number, [&](const llvm::SCEV* s) {
          const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(s);
          return counter != nullptr && counter->getLoop() == &loop_;
        }))
      found_.insert(number->getType()->getScalarSizeInBits());
    return true;
  }
  static bool isDone() { return false; }  // NOLINT(readability-identifier-naming)

 private:
  const llvm::Loop& loop_;
  llvm::ScalarEvolution& evolution_;
  llvm::SmallSet<unsigned, 4> found_;
};

bool counts_differently(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  CounterBits bits(loop, evolution);
  for (llvm::BasicBlock* block : loop.blocks()) {
    for (llvm::Instruction& i : *block)
      if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&i))
        bits.add(*const_cast<llvm::Value*>(pointer));
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (branch == nullptr || !branch->isConditional() || !loop.isLoopExiting(block)) continue;
    if (auto* test = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()))
      for (llvm::Value* side : test->operands()) bits.add(*side);
  }
  return bits.differ();
}

}  // namespace

llvm::PreservedAnalyses KeepLoopCountersPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty()) return llvm::PreservedAnalyses::all();
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && counts_differently(*loop, evolution))
      llvm::addStringMetadataToLoop(loop, kNoVectors.name, *kNoVectors.value);
  return llvm::PreservedAnalyses::all();
}

}  // namespace lanewise

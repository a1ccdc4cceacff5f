// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/faults/loop_divisions.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/base/loop_properties.h"
#include "compiler/base/statistic.h"

namespace lanewise {
namespace {

Statistic dividing_loops_kept{"keep-loop-divisions", "divisions", "divisions whose loops LLVM must not vectorise"};

bool is_division(const llvm::Instruction& i) {
  return i.isIntDivRem() && !llvm::isa<llvm::Constant>(i.getOperand(1));
}

/// Whether each iteration of the innermost loop around it that goes on to the next one makes it.
bool is_unconditional(const llvm::Instruction& i, const llvm::Loop& loop, const llvm::DominatorTree& tree) {
  llvm::SmallVector<llvm::BasicBlock*, 4> latches;
  loop.getLoopLatches(latches);
  return llvm::all_of(latches, [&](const llvm::BasicBlock* latch) { return tree.dominates(i.getParent(), latch); });
}

}  // namespace

llvm::PreservedAnalyses KeepLoopDivisionsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::SmallVector<const llvm::Instruction*, 8> divisions;
  for (const llvm::Instruction& i : llvm::instructions(function))
    if (is_division(i)) divisions.push_back(&i);
  if (divisions.empty()) return llvm::PreservedAnalyses::all();
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  const auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  for (const llvm::Instruction* division : divisions) {
    llvm::Loop* loop = loops.getLoopFor(division->getParent());
    if (loop == nullptr || is_unconditional(*division, *loop, tree)) continue;
    ++dividing_loops_kept;
    llvm::addStringMetadataToLoop(loop, kNoVectors.name, *kNoVectors.value);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace lanewise

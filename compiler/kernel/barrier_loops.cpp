// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/barrier_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/base/loop_properties.h"
#include "compiler/builtins/known_functions.h"

namespace lanewise {

llvm::PreservedAnalyses KeepBarrierLoopsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  for (const llvm::Instruction& i : llvm::instructions(function)) {
    if (!is_barrier(i)) continue;
    for (llvm::Loop* loop = loops.getLoopFor(i.getParent()); loop != nullptr; loop = loop->getParentLoop())
      if (!llvm::hasDisableAllTransformsHint(loop) && !llvm::getBooleanLoopAttribute(loop, kNoUnrolling.name))
        llvm::addStringMetadataToLoop(loop, kNoUnrolling.name, 1);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace lanewise

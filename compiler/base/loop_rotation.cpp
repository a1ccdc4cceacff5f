// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/loop_rotation.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/SimplifyQuery.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/LoopRotationUtils.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

namespace lanewise {

bool rotate(llvm::Loop& loop, llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (loop.getExitingBlock() == loop.getLoopLatch()) return true;
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  const llvm::SimplifyQuery query(function.getDataLayout(), nullptr, &dominators, &assumptions);
  llvm::LoopRotation(&loop, &analyses.getResult<llvm::LoopAnalysis>(function),
                     &analyses.getResult<llvm::TargetIRAnalysis>(function), &assumptions, &dominators,
                     &analyses.getResult<llvm::ScalarEvolutionAnalysis>(function), nullptr, query, true, ~0U, true);
  return loop.getExitingBlock() == loop.getLoopLatch();
}

void restore_form(llvm::Loop& loop, llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  llvm::simplifyLoop(&loop, &dominators, &loops, &evolution, &analyses.getResult<llvm::AssumptionAnalysis>(function),
                     nullptr, false);
  llvm::formLCSSARecursively(*loop.getOutermostLoop(), dominators, &loops, &evolution);
}

void unroll(llvm::Loop& loop, const llvm::UnrollLoopOptions& options, llvm::Function& function,
            llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  auto& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  auto& target = analyses.getResult<llvm::TargetIRAnalysis>(function);
  llvm::OptimizationRemarkEmitter remarks(&function);
  llvm::UnrollLoop(&loop, options, &loops, &evolution, &dominators, &assumptions, &target, &remarks, true);
}

}  // namespace lanewise

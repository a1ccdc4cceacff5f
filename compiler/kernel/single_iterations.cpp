// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/single_iterations.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include "compiler/base/effort.h"
#include "compiler/base/loop_rotation.h"
#include "compiler/kernel/distribute_extensions.h"

namespace lanewise {
namespace {

/// What is in front of the test runs once more than the body.
bool runs_once(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const llvm::BasicBlock* exiting = loop.getExitingBlock();
  if (exiting == nullptr || (exiting != loop.getHeader() && exiting != loop.getLoopLatch())) return false;
  const unsigned tests = evolution.getSmallConstantTripCount(&loop, exiting);
  return tests == (exiting == loop.getLoopLatch() ? 1U : 2U);
}

bool unroll_all(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto get_loops = [&]() -> llvm::LoopInfo& { return analyses.getResult<llvm::LoopAnalysis>(function); };
  const auto once = [&](llvm::Loop* loop) {
    return runs_once(*loop, analyses.getResult<llvm::ScalarEvolutionAnalysis>(function));
  };
  if (get_loops().empty() || llvm::none_of(get_loops().getLoopsInPreorder(), once)) return false;
  llvm::FunctionPassManager form;
  form.addPass(llvm::LoopSimplifyPass());
  form.addPass(llvm::LCSSAPass());
  analyses.invalidate(function, form.run(function, analyses));
  llvm::UnrollLoopOptions options{};
  options.Count = 1;
  options.Force = true;
  for (llvm::Loop* loop : get_loops().getLoopsInPreorder()) {
    if (!once(loop) || !rotate(*loop, function, analyses)) continue;
    restore_form(*loop, function, analyses);
    unroll(*loop, options, function, analyses);
  }
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(DistributeExtensionsPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  analyses.invalidate(function, passes.run(function, analyses));
  return true;
}

}  // namespace

llvm::PreservedAnalyses UnrollSingleIterationsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  llvm::FunctionAnalysisManager& functions = function_analyses(module, analyses);
  return unless_changed(change_functions(module, [&](llvm::Function& function) {
    return function.getInstructionCount() <= kBriefInstructions && unroll_all(function, functions);
  }));
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/promote_private_arrays.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "compiler/base/effort.h"
#include "compiler/builtins/known_functions.h"
#include "compiler/kernel/barrier_loops.h"
#include "compiler/kernel/counted_arrays.h"
#include "compiler/kernel/distribute_extensions.h"

namespace lanewise {
namespace {

bool has_private_array(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& i) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&i);
    return variable != nullptr && variable->getAllocatedType()->isArrayTy();
  });
}

}  // namespace

llvm::PreservedAnalyses PromotePrivateArraysPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  llvm::FunctionAnalysisManager& functions = function_analyses(module, analyses);
  const bool changed = change_functions(module, [&](llvm::Function& function) {
    if (function.getInstructionCount() > kBriefInstructions) return false;
    if (!has_private_array(function)) return false;
    if (!has_barrier(function) && !has_counted_array(function, functions.getResult<llvm::LoopAnalysis>(function),
                                                     functions.getResult<llvm::ScalarEvolutionAnalysis>(function)))
      return false;
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::LoopSimplifyPass());
    passes.addPass(llvm::LCSSAPass());
    passes.addPass(KeepBarrierLoopsPass());
    llvm::LoopPassManager loops;
    loops.addPass(llvm::LoopRotatePass(/*EnableHeaderDuplication=*/true, /*PrepareForLTO=*/false));
    loops.addPass(llvm::IndVarSimplifyPass());
    loops.addPass(llvm::LoopFullUnrollPass(/*OptLevel=*/3));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops)));
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::EarlyCSEPass());
    passes.addPass(DistributeExtensionsPass());
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    functions.invalidate(function, passes.run(function, functions));
    return true;
  });
  return unless_changed(changed);
}

}  // namespace lanewise

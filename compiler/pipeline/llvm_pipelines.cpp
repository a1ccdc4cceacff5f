// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/llvm_pipelines.h"

#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/Float2Int.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopInstSimplify.h>
#include <llvm/Transforms/Scalar/LoopLoadElimination.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopSimplifyCFG.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>
#include <llvm/Transforms/Vectorize/VectorCombine.h>

#include "compiler/target/faults/loop_counters.h"
#include "compiler/target/faults/loop_divisions.h"

namespace lanewise {
namespace {

using llvm::FunctionPassManager;

/// InstCombine with one iteration: what that leaves is found where the pipeline runs it again.
llvm::InstCombinePass combine() {
  return llvm::InstCombinePass(llvm::InstCombineOptions().setVerifyFixpoint(false));
}

llvm::LICMPass hoist(bool speculate) {
  return {llvm::SetLicmMssaOptCap, llvm::SetLicmMssaNoAccForPromotionCap, speculate};
}

template <class Passes>
void add_loops(FunctionPassManager& f, Passes passes, bool memory_ssa) {
  f.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(passes), memory_ssa));
}

void add_cleaning(FunctionPassManager& f) {
  f.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  f.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  f.addPass(llvm::SimplifyCFGPass());
  f.addPass(combine());
}

/// Brings loops into the form that later passes expect, and hoists what is invariant in them.
void add_loop_forms(FunctionPassManager& f) {
  llvm::LoopPassManager loops;
  loops.addPass(llvm::LoopInstSimplifyPass());
  loops.addPass(llvm::LoopSimplifyCFGPass());
  loops.addPass(hoist(/*speculate=*/false));
  loops.addPass(llvm::LoopRotatePass(/*EnableHeaderDuplication=*/true, /*PrepareForLTO=*/false));
  loops.addPass(hoist(/*speculate=*/true));
  loops.addPass(llvm::SimpleLoopUnswitchPass(/*NonTrivial=*/false));
  add_loops(f, std::move(loops), /*memory_ssa=*/true);
  f.addPass(llvm::SimplifyCFGPass());
  f.addPass(combine());
  llvm::LoopPassManager counts;
  counts.addPass(llvm::IndVarSimplifyPass());
  counts.addPass(llvm::LoopDeletionPass());
  counts.addPass(llvm::LoopFullUnrollPass(/*OptLevel=*/3));
  add_loops(f, std::move(counts), /*memory_ssa=*/false);
}

void add_redundancy(FunctionPassManager& f) {
  f.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  f.addPass(llvm::GVNPass());
  f.addPass(combine());
  f.addPass(llvm::DSEPass());
  llvm::LoopPassManager loops;
  loops.addPass(hoist(/*speculate=*/true));
  add_loops(f, std::move(loops), /*memory_ssa=*/true);
  f.addPass(llvm::ADCEPass());
  f.addPass(llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions().hoistCommonInsts(true).sinkCommonInsts(true)));
  f.addPass(combine());
}

void add_loop_vectoriser(FunctionPassManager& f) {
  f.addPass(KeepLoopCountersPass());
  f.addPass(KeepLoopDivisionsPass());
  f.addPass(llvm::LoopVectorizePass());
  f.addPass(llvm::LoopLoadEliminationPass());
  f.addPass(combine());
}

/// LLVM's vectorisers, for kernels, and loops in kernels, that our own vectoriser left scalar.
void add_vectorisers(FunctionPassManager& f) {
  f.addPass(llvm::Float2IntPass());
  add_loop_vectoriser(f);
  f.addPass(llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions()
                                      .forwardSwitchCondToPhi(true)
                                      .convertSwitchToLookupTable(true)
                                      .needCanonicalLoops(false)
                                      .hoistCommonInsts(true)
                                      .sinkCommonInsts(true)));
  f.addPass(llvm::SLPVectorizerPass());
  f.addPass(llvm::VectorCombinePass());
  f.addPass(combine());
}

void add_unrolling(FunctionPassManager& f) {
  f.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(/*OptLevel=*/3)));
  f.addPass(combine());
  llvm::LoopPassManager loops;
  loops.addPass(hoist(/*speculate=*/true));
  add_loops(f, std::move(loops), /*memory_ssa=*/true);
  f.addPass(llvm::InstSimplifyPass());
  f.addPass(llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions().sinkCommonInsts(true)));
}

void add_brief_vectorisers(FunctionPassManager& f) {
  add_loop_vectoriser(f);
  f.addPass(llvm::SLPVectorizerPass());
  f.addPass(combine());
}

void add_brief(FunctionPassManager& f, bool scalar_code) {
  add_cleaning(f);
  llvm::LoopPassManager loops;
  loops.addPass(llvm::LoopRotatePass(/*EnableHeaderDuplication=*/true, /*PrepareForLTO=*/false));
  loops.addPass(hoist(/*speculate=*/true));
  add_loops(f, std::move(loops), /*memory_ssa=*/true);
  llvm::LoopPassManager counts;
  counts.addPass(llvm::IndVarSimplifyPass());
  counts.addPass(llvm::LoopDeletionPass());
  counts.addPass(llvm::LoopFullUnrollPass(/*OptLevel=*/3));
  add_loops(f, std::move(counts), /*memory_ssa=*/false);
  f.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  f.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  f.addPass(combine());
  if (scalar_code) add_brief_vectorisers(f);
  f.addPass(llvm::ADCEPass());
  f.addPass(llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions().hoistCommonInsts(true).sinkCommonInsts(true)));
}

/// Without the passes that count the iterations of loops: they take a third of the time of `add_brief`, and bodies of
/// lanes gain little by them.
void add_cold(FunctionPassManager& f, bool scalar_code) {
  f.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  f.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  f.addPass(llvm::SimplifyCFGPass());
  llvm::LoopPassManager loops;
  loops.addPass(llvm::LoopRotatePass(/*EnableHeaderDuplication=*/true, /*PrepareForLTO=*/false));
  loops.addPass(hoist(/*speculate=*/true));
  add_loops(f, std::move(loops), /*memory_ssa=*/true);
  f.addPass(combine());
  if (scalar_code) add_brief_vectorisers(f);
  f.addPass(llvm::ADCEPass());
  f.addPass(llvm::SimplifyCFGPass());
}

void add_linear(FunctionPassManager& f) {
  add_cleaning(f);
  llvm::LoopPassManager loops;
  loops.addPass(hoist(/*speculate=*/true));
  add_loops(f, std::move(loops), /*memory_ssa=*/true);
  f.addPass(llvm::SimplifyCFGPass());
  f.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  f.addPass(combine());
  f.addPass(llvm::ADCEPass());
  f.addPass(llvm::SimplifyCFGPass());
}

}  // namespace

void add_passes(llvm::ModulePassManager& passes, llvm::PassBuilder& builder, Effort effort, bool scalar_code) {
  if (effort == Effort::debug) {
    passes = builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
    return;
  }
  if (effort == Effort::none || effort == Effort::full) {
    const auto level = effort == Effort::full ? llvm::OptimizationLevel::O3 : llvm::OptimizationLevel::O1;
    passes = builder.buildPerModuleDefaultPipeline(level);
    return;
  }
  FunctionPassManager f;
  if (effort == Effort::normal) {
    add_cleaning(f);
    add_loop_forms(f);
    add_redundancy(f);
    if (scalar_code)
      add_vectorisers(f);
    else
      f.addPass(llvm::VectorCombinePass());
    add_unrolling(f);
  } else if (effort == Effort::cold) {
    add_cold(f, scalar_code);
  } else if (effort == Effort::brief) {
    add_brief(f, scalar_code);
  } else {
    add_linear(f);
  }
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(f)));
  passes.addPass(llvm::GlobalDCEPass());
}

}  // namespace lanewise

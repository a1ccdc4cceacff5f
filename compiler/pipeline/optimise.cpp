// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/optimise.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/base/diagnostics.h"
#include "compiler/kernel/call_graph.h"
#include "compiler/pipeline/llvm_pipelines.h"
#include "compiler/target/faults/loop_counters.h"
#include "compiler/target/faults/loop_divisions.h"
#include "compiler/target/machine.h"

namespace lanewise {

namespace {

/// Options of LLVM's vectorisers, which O1 would run. With -cl-opt-disable they would take most of the time of a large
/// build, although the user wants the code as it is written.
llvm::PipelineTuningOptions tuning(const llvm::TargetMachine& machine) {
  const bool vectors = machine.getOptLevel() != llvm::CodeGenOptLevel::Less;
  llvm::PipelineTuningOptions options;
  options.LoopVectorization = vectors;
  options.LoopInterleaving = vectors;
  options.SLPVectorization = vectors;
  return options;
}

}  // namespace

KernelAnalyses::KernelAnalyses(KernelContext& context, llvm::PassInstrumentationCallbacks* instrumentation)
    : Analyses(&context.machine, tuning(context.machine), library_functions(context.machine.getTargetTriple()),
               instrumentation) {
  context.builder = &builder;
  builder.registerVectorizerStartEPCallback([](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(KeepLoopCountersPass());
    passes.addPass(KeepLoopDivisionsPass());
  });
  modules.registerPass([&] { return KernelContextAnalysis(context); });
}

llvm::PreservedAnalyses OptimisePass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  keep_large_calls(module);
  llvm::ModulePassManager passes;
  add_passes(passes, *context.builder, effort_.value_or(context.effort), scalar_code_.value_or(context.scalar_code));
  return passes.run(module, analyses);
}

llvm::Expected<OptimisePass> OptimisePass::with(llvm::StringRef parameters) {
  std::optional<Effort> effort;
  std::optional<bool> scalar_code;
  while (!parameters.empty()) {
    llvm::StringRef word;
    std::tie(word, parameters) = parameters.split(';');
    const auto named = llvm::StringSwitch<std::optional<Effort>>(word)
                           .Case("debug", Effort::debug)
                           .Case("none", Effort::none)
                           .Case("full", Effort::full)
                           .Case("normal", Effort::normal)
                           .Case("brief", Effort::brief)
                           .Case("cold", Effort::cold)
                           .Case("reduced", Effort::reduced)
                           .Case("least", Effort::least)
                           .Default(std::nullopt);
    if (named)
      effort = named;
    else if (word == "scalar" || word == "vectors")
      scalar_code = word == "scalar";
    else
      return failure("unknown parameter of optimise: " + word);
  }
  return OptimisePass(effort, scalar_code);
}

}  // namespace lanewise

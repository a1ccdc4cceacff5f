// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LLVM's analyses, registered with each other: what any pass needs before it can run.
#pragma once

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Passes/PassBuilder.h>

#include <optional>

#include "compiler/base/opencl_aliases.h"

namespace lanewise {

struct Analyses {
  /// @param machine  null: no target is asked about costs
  /// @param instrumentation  called around every pass; null: nothing is
  /// @param library  functions of the C library that passes may know; none: those of the module's triple
  explicit Analyses(llvm::TargetMachine* machine = nullptr, const llvm::PipelineTuningOptions& tuning = {},
                    const std::optional<llvm::TargetLibraryInfoImpl>& library = std::nullopt,
                    llvm::PassInstrumentationCallbacks* instrumentation = nullptr)
      : builder(machine, tuning, std::nullopt, instrumentation) {
    // The first registration of a pass counts.
    if (library) functions.registerPass([&] { return llvm::TargetLibraryAnalysis(*library); });
    functions.registerPass([] { return OpenClAliasAnalysis(); });
    functions.registerPass([&] {
      llvm::AAManager aliases = builder.buildDefaultAAPipeline();
      aliases.registerFunctionAnalysis<OpenClAliasAnalysis>();
      return aliases;
    });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(graph);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, graph, modules);
  }
  Analyses(const Analyses&) = delete;
  Analyses& operator=(const Analyses&) = delete;

  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
};

}  // namespace lanewise

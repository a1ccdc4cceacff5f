// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Everything that LLVM does to a kernel as one pass of ours, and the analyses that the passes of a kernel share.
#pragma once

#include <llvm/Support/Error.h>

#include <optional>

#include "compiler/base/analyses.h"
#include "compiler/base/context.h"
#include "compiler/base/effort.h"
#include "compiler/base/pass.h"

namespace lanewise {

/// The analyses that the passes of one kernel use, including its context. Sets `context.builder`; both arguments must
/// outlive it. Barrier calls are convergent: no pass of LLVM's duplicates one, or moves it into or out of a branch.
struct KernelAnalyses : Analyses {
  explicit KernelAnalyses(KernelContext& context, llvm::PassInstrumentationCallbacks* instrumentation = nullptr);
};

/// LLVM's passes (compiler/pipeline/llvm_pipelines.h).
class OptimisePass : public RequiredPass<OptimisePass> {
 public:
  static constexpr const char* kParameters = "debug|none|full|normal|brief|cold|reduced|least;scalar|vectors";
  static llvm::Expected<OptimisePass> with(llvm::StringRef parameters);
  /// Without values the context decides.
  explicit OptimisePass(std::optional<Effort> effort = std::nullopt, std::optional<bool> scalar_code = std::nullopt)
      : effort_(effort), scalar_code_(scalar_code) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  std::optional<Effort> effort_;
  std::optional<bool> scalar_code_;
};

}  // namespace lanewise

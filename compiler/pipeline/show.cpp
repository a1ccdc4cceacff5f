// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/show.h"

#include <llvm/Support/raw_ostream.h>

#include "compiler/base/context.h"
#include "compiler/base/diagnostics.h"

namespace lanewise {

llvm::Expected<ShowPass> ShowPass::with(llvm::StringRef parameters) {
  if (parameters.empty()) return failure("show needs the name of a form");
  return ShowPass(parameters.str());
}

llvm::PreservedAnalyses ShowPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  const PipelineObserver* observer = context.options.observer;
  if (observer == nullptr || !observer->wants(form_)) return llvm::PreservedAnalyses::all();
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out, nullptr);
  observer->show(form_, context.kernels.empty() ? "" : context.kernels.front()->name, text);
  return llvm::PreservedAnalyses::all();
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/kernel_pipeline.h"

#include <llvm/IR/Module.h>
#include <llvm/Passes/StandardInstrumentations.h>

#include "compiler/base/diagnostics.h"
#include "compiler/base/phase.h"
#include "compiler/pipeline/changes.h"
#include "compiler/pipeline/growth_limits.h"
#include "compiler/pipeline/optimise.h"
#include "compiler/pipeline/registry.h"
#include "compiler/pipeline/time_budget.h"

namespace lanewise {

namespace {

/// Splits the text at commas that are not inside brackets.
llvm::SmallVector<llvm::StringRef> elements_of(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> elements;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '(' || c == '<') ++depth;
    if (c == ')' || c == '>') --depth;
    if (c != ',' || (depth > 0 && i < text.size())) continue;
    elements.push_back(text.slice(begin, i).trim());
    begin = i + 1;
  }
  return elements;
}

llvm::Error run_step(llvm::ModulePassManager& step, llvm::Module& module, KernelContext& context,
                     KernelAnalyses& analyses) {
  step.run(module, analyses.modules);
  return context.error.empty() ? llvm::Error::success() : failure(context.error);
}

}  // namespace

llvm::Error run_kernel_pipeline(llvm::Module& module, KernelContext& context) {
  llvm::PassInstrumentationCallbacks callbacks;
  limit_growth(callbacks, context.options.launches != nullptr);
  if (context.options.launches != nullptr) limit_time(callbacks, kHotKernelTime);
  const PipelineObserver* observer = context.options.observer;
  if (observer != nullptr && observer->changed) report_changes(callbacks, observer->changed);
  KernelAnalyses analyses(context, &callbacks);
#ifndef NDEBUG
  llvm::VerifyInstrumentation verify(/*DebugLogging=*/false);
  verify.registerCallbacks(callbacks, &analyses.modules);
#endif
  for (const KernelStep& step : kernel_pipeline()) {
    if (!is_open(step.gate, context)) continue;
    const Phase phase(step.pass, context.kernels.front()->name);
    llvm::ModulePassManager passes;
    if (llvm::Error error = add_pass(step.pass, passes)) return error;
    if (llvm::Error error = run_step(passes, module, context, analyses)) return error;
  }
  return llvm::Error::success();
}

llvm::Error run_passes(llvm::StringRef text, llvm::Module& module, KernelContext& context,
                       llvm::PassInstrumentationCallbacks* instrumentation, llvm::raw_ostream& out,
                       llvm::ArrayRef<std::string> without) {
  llvm::PassInstrumentationCallbacks none;
  llvm::PassInstrumentationCallbacks& callbacks = instrumentation != nullptr ? *instrumentation : none;
  limit_growth(callbacks, context.options.launches != nullptr);
  KernelAnalyses analyses(context, &callbacks);
  register_passes(analyses.builder, out);
  llvm::SmallVector<llvm::StringRef> elements;
  for (const llvm::StringRef element : elements_of(text)) {
    if (element != "kernel") {
      elements.push_back(element);
      continue;
    }
    for (const KernelStep& step : kernel_pipeline())
      if (!llvm::is_contained(without, step.pass)) elements.emplace_back(step.pass);
  }
  for (const llvm::StringRef element : elements) {
    if (!is_open(gate_of(element), context)) continue;
    const std::string name = element.str();
    const Phase phase(name.c_str());
    llvm::ModulePassManager passes;
    if (llvm::Error error = analyses.builder.parsePassPipeline(passes, element)) return error;
    if (llvm::Error error = run_step(passes, module, context, analyses)) return error;
  }
  return llvm::Error::success();
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/context.h"

#include <llvm/IR/Module.h>

namespace lanewise {

llvm::AnalysisKey KernelContextAnalysis::Key;

namespace {

/// Of work-items or of iterations.
bool makes_vectors(const CodegenOptions& options) {
  return options.optimise && !options.debug_barriers;
}

}  // namespace

bool vectorises(const CodegenOptions& options) {
  return makes_vectors(options) && options.vector_width != 1;
}

KernelContext driver_context(const CodegenOptions& options, llvm::TargetMachine& machine, abi::KernelInfo& info,
                             std::vector<abi::LoopReport>* report) {
  KernelContext context{.options = options, .machine = machine, .kernels = {&info}, .report = report};
  context.workgroup.debug_barriers = options.debug_barriers;
  context.workgroup.launches = options.launches;
  context.workgroup.always_teams = options.vector_width > 1;
  context.vectoriser = {.isa = options.isa,
                        .forced_width = options.vector_width,
                        .explain = report != nullptr,
                        .quick = options.launches == nullptr,
                        .few_forms = options.large_program};
  if (options.launches != nullptr && makes_vectors(options))
    context.vectoriser.iteration_lanes = options.launches->iteration_lanes;
  return context;
}

llvm::SmallVector<llvm::Function*> lowered_kernels(llvm::Module& module, const KernelContext& context) {
  llvm::SmallVector<llvm::Function*> functions;
  for (const abi::KernelInfo* info : context.kernels)
    if (llvm::Function* function = module.getFunction(info->symbol)) functions.push_back(function);
  if (!context.kernels.empty()) return functions;
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) functions.push_back(&function);
  return functions;
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/count_instructions.h"

namespace lanewise {

void count_instructions(const llvm::Module& module, const KernelContext& context, std::string abi::KernelInfo::* name,
                        std::uint32_t abi::InstructionCounts::* count) {
  unsigned shared = module.getInstructionCount();
  for (const abi::KernelInfo* info : context.kernels)
    if (const llvm::Function* kernel = module.getFunction(info->*name)) shared -= kernel->getInstructionCount();
  for (abi::KernelInfo* info : context.kernels)
    if (const llvm::Function* kernel = module.getFunction(info->*name))
      info->instructions.*count = kernel->getInstructionCount() + shared;
}

llvm::PreservedAnalyses CountInstructionsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  count_instructions(module, context_of(module, analyses), &abi::KernelInfo::symbol, &abi::InstructionCounts::code);
  return llvm::PreservedAnalyses::all();
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Counts the instructions of a kernel for the runtime, which weighs the time of a compile against that of launches.
#pragma once

#include <cstdint>

#include "compiler/base/context.h"
#include "compiler/base/pass.h"

namespace lanewise {

/// Notes how many instructions each kernel has, with all functions that kernels call.
void count_instructions(const llvm::Module& module, const KernelContext& context, std::string abi::KernelInfo::* name,
                        std::uint32_t abi::InstructionCounts::* count);

/// Counts the instructions after LLVM has optimised the kernel.
struct CountInstructionsPass : RequiredPass<CountInstructionsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

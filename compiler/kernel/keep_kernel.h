// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Drops the kernels that are compiled elsewhere, with all that only they use. One that is called (SPIR-V only) becomes
/// a function like others.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct KeepKernelPass : RequiredPass<KeepKernelPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

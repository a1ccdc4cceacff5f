// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Initialises private variables with zeros (cl_khr_initialize_memory), on canonical IR.
///
///     %x = alloca [8 x i32]                     %x = alloca [8 x i32]
///     lifetime.start(%x)               =>       lifetime.start(%x)
///                                               memset(%x, 0, 32)
///
/// A variable without markers (Clang sets none where a jump may pass the declaration) is set where its function begins.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct ZeroPrivateMemoryPass : RequiredPass<ZeroPrivateMemoryPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Gives a user's functions names that no function of the library or of the C library can have.
///
///     define float @sin(float %x)     ->     define float @sin.fn(float %x)
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// The suffix of the names of a user's functions during code generation, so that none of them is taken for a function
/// of the C library or of the support object.
inline constexpr const char* kUserFunctionSuffix = ".fn";

/// Runs before the library is linked, whose functions keep their names. Kernels that are compiled keep theirs as well.
struct RenameUserFunctionsPass : RequiredPass<RenameUserFunctionsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

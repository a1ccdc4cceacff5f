// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Defines the built-in functions that a program calls.
#pragma once

#include "compiler/base/context.h"
#include "compiler/base/pass.h"

namespace lanewise {

/// The library of the context. Null, with an error in the context, if there is none.
const BuiltinLibrary* library_of(KernelContext& context);

/// Runs while types and calls are those of spir64, as the library's are.
struct LinkBuiltinsPass : RequiredPass<LinkBuiltinsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Inlines the functions that are marked `alwaysinline` (call_graph.h), and simplifies what comes of it. Where
/// variables keep their places nothing is simplified.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct InlineMarkedPass : RequiredPass<InlineMarkedPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the passes of compiler/pipeline/passes.def have in common. Each is a class in the header of its transformation.
#pragma once

#include <llvm/IR/Analysis.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

namespace lanewise {

/// A pass of LLVM's pass manager. All of ours are required: without them a kernel is wrong, so `opt-bisect-limit` and
/// the like skip none.
template <class Pass>
// NOLINTNEXTLINE(bugprone-crtp-constructor-accessibility): as LLVM's own mix-in, for passes that are aggregates.
struct RequiredPass : llvm::PassInfoMixin<Pass> {
  static bool isRequired() { return true; }
};

/// What a pass preserves that may have changed anything at all.
inline llvm::PreservedAnalyses unless_changed(bool changed) {
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

/// What a pass preserves that leaves blocks and branches as they are.
inline llvm::PreservedAnalyses keeping_blocks(bool changed) {
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  kept.preserve<llvm::FunctionAnalysisManagerModuleProxy>();
  return kept;
}

/// Calls `change(function)` for each function with a body. @returns whether one of them has changed
template <class Change>
bool change_functions(llvm::Module& module, Change&& change) {
  bool changed = false;
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) changed |= change(function);
  return changed;
}

inline llvm::FunctionAnalysisManager& function_analyses(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  return analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
}

}  // namespace lanewise

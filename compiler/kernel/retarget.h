// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Canonical IR -> host IR, in one step:
///
///     target triple = "spir64-unknown-unknown"               target triple = "x86_64-unknown-linux-gnu"
///     define spir_func void @f(target("spirv.Event") %e)      define void @f(ptr %e)            ; "target-cpu"=...
///       cmpxchg ... syncscope("device")                 =>      cmpxchg ...
///       #dbg_declare(..., !DIExpression(DW_OP_constu, 1,        #dbg_declare(..., !DIExpression())
///                         DW_OP_swap, DW_OP_xderef))
///
/// Kept: address spaces 1 to 4 (code generators treat them as 0, our analyses use them), names of built-ins, `byval`,
/// metadata.
/// Sizes and alignments of all types are the same in both data layouts, so memory keeps its meaning.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// Re-targets every function of `module` to `machine`, with its features. After it, no `target(...)` type, SPIR calling
/// convention or unknown synchronisation scope is left.
struct RetargetPass : RequiredPass<RetargetPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Its part for types: `target("spirv.*")` becomes `ptr` (target_types.cpp).
void replace_target_types(llvm::Module& module);

}  // namespace lanewise

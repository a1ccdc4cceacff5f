// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Single loops with their test at the end, which is how LLVM's utilities for loops expect them:
///
///     top: br %in, %body, %exit                  br %in, %body, %exit
///     body: ...; br %top                =>       body: ...; br %in, %body, %exit
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class Function;
class Loop;
struct UnrollLoopOptions;
}  // namespace llvm

namespace lanewise {

/// False if the test is still elsewhere. The loop need not be in simplified form afterwards.
[[nodiscard]] bool rotate(llvm::Loop& loop, llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

/// Simplified and closed SSA form again.
void restore_form(llvm::Loop& loop, llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

/// Unrolls a loop of that form.
void unroll(llvm::Loop& loop, const llvm::UnrollLoopOptions& options, llvm::Function& function,
            llvm::FunctionAnalysisManager& analyses);

}  // namespace lanewise

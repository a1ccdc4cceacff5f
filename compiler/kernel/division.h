// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Integer division that cannot end the process, with a result for every pair of operands. In OpenCL C the result of a
/// division by zero and of INT_MIN / -1 is not specified; in LLVM they are undefined, and some processors raise SIGFPE.
///
///     x / 0         all bits one, as GPUs have it: the largest number without a sign, -1 with one
///     x % 0         0
///     INT_MIN / -1  INT_MIN, and the remainder is 0
///
///     %q = sdiv i32 %x, %y     ->     %zero = %y == 0
///                                     %bad  = %zero | (%y == -1 & %x == INT_MIN)
///                                     %d    = sdiv i32 %x, (%bad ? 1 : %y)
///                                     %q    = %d | sext %zero
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// Makes every division and remainder of the module total. Divisors that are harmless constants are left alone.
/// @returns whether there were others
bool make_divisions_total(llvm::Module& module);

struct MakeDivisionsTotalPass : RequiredPass<MakeDivisionsTotalPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

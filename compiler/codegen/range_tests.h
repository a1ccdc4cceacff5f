// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tests in a loop that hold in all iterations if they hold in the first and the last one are asked once in front of it:
///
///     for (i = 0; i < n; ++i)                  all = 0 <= x - 7 && x + n - 8 <= last
///       if (0 <= x + i - 7 <= last)       =>   for (i = 0; i < n; ++i)
///         load at x + i - 7                      if (all || 0 <= x + i - 7 <= last)
///       else                                       ...
///         load at the clamped place
///
/// so that LLVM takes the test out of the loop (SimpleLoopUnswitch) and leaves the load. That is what reads of pictures
/// with clamped coordinates look like, once lanes are vectors (spmd/emit/lines.h). Compare inductive range check
/// elimination (Bodik, Gupta & Sarkar, "ABCD", PLDI 2000), which divides the loop instead.
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class Function;
}

namespace lanewise {

/// Innermost loops whose number of iterations is known when they begin. Changes nothing else.
void hoist_range_tests(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Unrolls loops in which each work-item walks through a row of its own. An iteration then reads as much of a row as a
/// lane loads at once, and registers are transposed (field_groups.h):
///
///     for (k = 0; k < n; ++k)                   for (k = 0; k + 3 < n; k += 4)
///       s += a[id * n + k];              =>       s += a[id * n + k];
///                                                 s += a[id * n + k + 1];
///                                                 ...
///                                               for (; k < n; ++k) s += a[id * n + k];
///
/// The loops are small, contain no other loop, and all work-items leave them after the same number of iterations. Each
/// work-item does the same operations in the same order as before.
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class Function;
}

namespace lanewise::spmd {

/// `function` is normalised (normalise.h), and is afterwards.
void unroll_row_walks(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace lanewise::spmd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops in which each work-item walks through a row of its own are unrolled, so that as much of a row as a lane loads at
/// once is read in one iteration (field_groups.h, which transposes it in registers).
///
///     for (k = 0; k < n; ++k)                   for (k = 0; k + 3 < n; k += 4)
///       s += a[id * n + k];              =>       s += a[id * n + k];
///                                                 s += a[id * n + k + 1];
///                                                 ...
///                                               for (; k < n; ++k) s += a[id * n + k];
///
/// Only loops that all work-items leave after the same number of iterations, that contain no other loop, and that are
/// small. Each work-item does the same operations in the same order as before.
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class Function;
}

namespace lanewise::spmd {

/// `function` is normalised (normalise.h), and is afterwards.
void unroll_row_walks(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace lanewise::spmd

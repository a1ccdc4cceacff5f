// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Turns iterations of a loop into work-items, for code whose own work-items are too few for vectors: kernels for
/// processors often give each of a handful of work-items a long loop.
///
///     for (j = 0; j < 32; ++j)               items: for (x = 0; x < 32; ++x)
///       if (near(j)) sum -= f(j);      =>           addends[x] = near(x) ? -f(x) : -0.0;
///                                            for (j = 0; j < 32; ++j) sum += addends[j];
///
/// The first loop has the form of a work-item loop (item_loop.h), so the vectoriser takes it. Sums stay in order, so
/// results stay the same. LLVM's own vectoriser, which sees the loops that are left, does not put sums in order here.
///
/// The loops are innermost loops with sums of floating-point numbers (loop_sums.h), whose number of iterations is known
/// and whose iterations work on memory of their own (independence.h).
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/PassManager.h>

#include <string>
#include <vector>

#include "compiler/base/pass.h"

namespace lanewise::spmd {

/// A loop that has become a work-item loop.
struct IterationLoop {
  std::string name;   ///< name of the loop's header
  unsigned sums = 0;  ///< numbers of each iteration that later loops add up
};

/// Rewrites the loops. The function is normalised (normalise.h), and is afterwards; its own work-item loops become
/// ordinary ones, and their private variables ordinary memory.
/// @param wanted  asked with the number of each loop that can be rewritten, in an order that depends on the function
///        only
[[nodiscard]] std::vector<IterationLoop> spread_iterations(llvm::Function& function,
                                                           llvm::FunctionAnalysisManager& analyses,
                                                           llvm::function_ref<bool(unsigned)> wanted);

/// Normalises the function and rewrites all such loops.
struct SpreadIterationsPass : RequiredPass<SpreadIterationsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lanewise::spmd

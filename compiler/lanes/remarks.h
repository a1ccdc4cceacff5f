// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the vectoriser's report says (include/lanewise/vector_report.h), as LLVM's optimisation remarks and statistics:
///
///     lanewise-opt -pass-remarks=lanewise          loops with vectors
///                  -pass-remarks-missed=lanewise   loops that stay scalar, with the reason
///                  -pass-remarks-analysis=lanewise accesses of memory that vectors are slow at
///                  -pass-remarks-output=FILE       all of them, as YAML
///                  -stats                          how many there were
#pragma once

#include <llvm/IR/Function.h>

#include <vector>

#include "compiler/lanes/analysis/refusal.h"
#include "include/lanewise/vector_report.h"

namespace lanewise::spmd {

/// Counts a loop that stays scalar for the reason, which is not `none`.
void count(Reason reason);

/// Whether somebody listens to remarks, so that what they tell has to be found out (Options::explain).
[[nodiscard]] bool wants_remarks(const llvm::Function& function);

/// Counts the loops of a kernel, and says what became of each.
/// @param function  the kernel's function, after the vectoriser
void announce(const llvm::Function& function, const std::vector<abi::LoopReport>& loops);

}  // namespace lanewise::spmd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Adds the terms of sums of integers in vectors in the order in which they are known (tree height reduction; Kuck,
/// Muraoka, Chen, 1972). Rounds of hash functions are chains of such sums, and their time is the length of the chain:
///
///     %a = add %f, %early                     %a = add %early, %constant
///     %s = add %a, splat (i32 7)      ->      %s = add %a, %f                 where %f is known last
///
/// LLVM's code generator brings the constant back after %f, where addresses can take it, so it becomes a load before
/// the loop. A round of hashcat's SHA-256 takes 0.88 of the cycles.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// Changes blocks of loops where many sums gain, but not sums to which earlier iterations add.
struct OrderSumsPass : RequiredPass<OrderSumsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

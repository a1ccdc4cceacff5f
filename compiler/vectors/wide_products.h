// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Upper halves of 64-bit products (mul_hi, random numbers by Philox) in vectors, without numbers of 128 bits:
///
///     trunc((zext(x) * zext(y)) >> 64)     ->     four products of 32 bits each, and sums
///
/// LLVM takes vectors of 128-bit numbers apart, multiplies lane by lane and puts the results together: some eight
/// operations a lane instead of fourteen a vector.
///
/// For reikna's random numbers (Philox of 64-bit words), whose kernel is a third shorter.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct SplitWideProductsPass : RequiredPass<SplitWideProductsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

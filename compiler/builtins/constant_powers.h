// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Calls of pow and pown with a constant exponent that a few operations serve: 0, 1, 2, 3, 4, -1, and 1/2 for pow.
///
///     %y = call float @_Z3powff(float %x, float 3.0)     ->     %s = fmul float %x, %x
///                                                               %y = fmul float %s, %x
///
/// Products are at most 1.5 ULP off and exact where they are representable, which the relaxed forms of pow are not.
/// Zeros, infinities and NaN give what pow does (OpenCL C 7.5.1). Scalars and vectors of half, float and double.
///
/// For programs that write pow(x, 2): Rodinia's myocyte and particle filter, ArrayFire's anisotropic diffusion.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise::builtins {

/// Runs before the library is linked: calls are known by the mangled names of functions without a body.
struct MultiplyConstantPowersPass : RequiredPass<MultiplyConstantPowersPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise::builtins

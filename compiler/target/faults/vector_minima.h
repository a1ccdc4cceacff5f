// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Minima and maxima of floating point in scalable vectors of one length, by the operation that has an instruction:
///
///     minimumnum(%a, %b)     ->     minnum(%a', %b')     %a' = select (fcmp uno %a, %a), quiet bit | %a, %a
///
/// Of a NaN and a number both give the number; only the first does so for signalling NaNs too. LLVM's code generator
/// knows the first for vectors of 128 bits, and takes longer ones apart into twelve instructions for each lane. What
/// arithmetic has computed is no signalling NaN and needs no select. The bits of the result are those of scalar code.
///
/// It is for every kernel with fmin, fmax or clamp of float: a median filter (OpenCV, darktable) has 38 of them.
///
/// Upstream: llvm/llvm-project pull request 185074, in LLVM 23. LLVM 22.1 has the fault.
/// Reproducer: tests/lit/faults/vector_minima.ll.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// Changes functions for scalable vectors (`vscale_range`) of more than 128 bits.
struct KeepVectorMinimaPass : RequiredPass<KeepVectorMinimaPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

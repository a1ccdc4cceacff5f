// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Turns loops that compare and exchange until no other thread interferes into the atomic operation that they compute.
///
///     loop:                                             %before = atomicrmw fadd ptr %p, float %v monotonic
///       %bits = phi i32 [ %first, ... ], [ %seen, %loop ]
///       %old = bitcast i32 %bits to float
///       %new = fadd float %old, %v
///       %pair = cmpxchg ptr %p, i32 %bits, i32 (bits of %new) monotonic monotonic
///       %seen = extractvalue { i32, i1 } %pair, 0        =>
///       br i1 (%seen == %bits), label %exit, label %loop
///
/// The operation can then be done once for all lanes of a vector, and without an atomic on local memory
/// (lanes/emit/atomics.h, local_atomics.h); as a loop that lanes leave at different times it would not be vectorised.
///
/// Programs that are older than OpenCL's atomics of floats have such loops: pyFAI's histograms, LuxCore's film,
/// clSPARSE's sums.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// Expects SSA form.
struct SimplifyExchangeLoopsPass : RequiredPass<SimplifyExchangeLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

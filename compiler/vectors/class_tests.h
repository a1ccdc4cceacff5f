// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tests of the class of a number as one comparison of its encoding. LLVM makes such a test of pairs of comparisons
/// like `x > 0 && x < INFINITY`; without an instruction for it (AVX-512) the code generator expands it class by class,
/// in a dozen operations.
///
///     %c = call <8 x i1> @llvm.is.fpclass.v8f32(<8 x float> %x, i32 384)   ; positive, not zero and not infinite
/// =>
///     %bits = bitcast <8 x float> %x to <8 x i32>
///     %above = sub <8 x i32> %bits, splat (i32 1)
///     %c = icmp ult <8 x i32> %above, splat (i32 2139095039)
///
/// Only classes that lie side by side, either of positive numbers or of both signs alike.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct CompareClassRangesPass : RequiredPass<CompareClassRangesPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

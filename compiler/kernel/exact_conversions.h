// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Folds small integers that become floating-point numbers and then integers again, through arithmetic that gives back
/// what it was given: a texel that is read from an image and written to another of the same format, say.
///
///     %f = uitofp i32 %byte to float               ; %byte is known to be at most 255
///     %x = fmul float %f, 0x3F70101020000000       ; 1/255
///     %y = fmul float %x, 2.550000e+02        =>   %i is %byte
///     %r = call float @llvm.rint.f32(float %y)
///     %i = fptosi float %r to i32
///
/// The pass does not derive that the arithmetic gives back its input: it tries every possible value, at most 65,536. If
/// the result counts up or down with the value, it becomes a product and a sum of integers; inverting a picture is such
/// a case. A signed and an unsigned conversion of one integer may give different numbers: the first conversion decides,
/// and one of the other kind must give the same numbers.
///
/// For filters of pictures: in FFmpeg's OpenCL filters, pixels of bytes become numbers and bytes again.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct FoldExactConversionsPass : RequiredPass<FoldExactConversionsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Small integers that become floating-point numbers and then integers again, through arithmetic that gives back what it
/// was given: a texel that is read from an image and written to another of the same format, say.
///
///     %f = uitofp i32 %byte to float               ; %byte is known to be at most 255
///     %x = fmul float %f, 0x3F70101020000000       ; 1/255
///     %y = fmul float %x, 2.550000e+02        =>   %i is %byte
///     %r = call float @llvm.rint.f32(float %y)
///     %i = fptosi float %r to i32
///
/// Whether it does is not derived but tried out, with each of the values that there can be (65,536 at most). A result that
/// counts up or down with the value is a product and a sum of integers then, so inverting a picture is one as well.
/// A conversion that takes the integer with its sign gives other values than one that takes it without: the first one
/// decides, and one of the other kind has to give the same ones.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct FoldExactConversionsPass : RequiredPass<FoldExactConversionsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops whose body runs once, because an option of the build or a macro says so, become straight code:
///
///     #define PIXELS 1
///     for (int p = 0; p < PIXELS; ++p, src += 3)                 out[i] = f(src);
///       out[i + p] = f(src);                              =>
///
/// LLVM does the same, but only after the vectoriser. To that, `src` is a pointer that may be another one in each
/// iteration, and neighbouring pixels are not known as such. OpenCV has such loops over the pixels of a work-item, and
/// its `inRange` takes 0.36 of the time. silx has them over the colours of a picture, which may be grey.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct UnrollSingleIterationsPass : RequiredPass<UnrollSingleIterationsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

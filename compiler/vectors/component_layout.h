// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the components of small vectors lie in the registers of a vector of work-items.
///
///     by component    x0 x1 x2 .. x7 | y0 y1 .. y7 | z0 .. | w0 ..        what the vectoriser writes
///     by item         x0 y0 z0 w0 x1 y1 z1 w1 | x2 y2 ..                  what memory has
///
/// A load of `float4` is by item, and shuffles take it apart; a store puts it together again. Where what lies between
/// does the same with each component, it can be done by item, and no shuffle is needed:
///
///     %x = shufflevector %texel, <0, 4, 8, ..>     (y, z, w alike)
///     %a = fmul %x, %weight                    =>      %all = fmul %texel, (weight0 x 4, weight1 x 4, ..)
///     %s = shufflevector (a, b, c, d), <0, W, 2 W, 3 W, 1, ..>
///     store %s                                         store %all
///
/// A value that is the same for all components (a weight) has to be repeated, which takes shuffles too unless it is the
/// same for all work-items. Both ways are counted, each block by the depth of its loop.
///
/// What is left by component is put into a form for which every processor has instructions: transposes within 128 bits.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise::spmd {

/// Changes the layout where that saves shuffles. Results are the same, bit by bit.
struct LayOutComponentsPass : RequiredPass<LayOutComponentsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise::spmd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tests of many elements of a vector, one after the other, as one comparison of the vector:
///
///     %e0 = extractelement <16 x i32> %v, i64 0                    %each = icmp eq <16 x i32> %v, splat(%x)
///     %c0 = icmp eq i32 %e0, %x                                    %stable = freeze <16 x i1> %each
///     %e1 = extractelement <16 x i32> %v, i64 1             =>     %bits = bitcast <16 x i1> %stable to i16
///     %c1 = icmp eq i32 %e1, %x                                    %any = icmp ne i16 %bits, 0
///     %a1 = select i1 %c0, i1 true, i1 %c1
///     ...
///     %any = select i1 %a14, i1 true, i1 %c15
///
/// Programs that search with vectors of their own end each round with such a test (`v.s0 == x || v.s1 == x || ...`), of
/// which the code generator makes a branch for each element. LLVM's SLP vectoriser finds them too; it takes a tenth of
/// the time of a first build, and large kernels do without it (compiler/base/effort.h).
///
/// Of a test for any, and of one for all (`&&`), those elements are compared together that are compared with the same
/// value, or with the same elements of another vector, in the same way, if they are at least half of the vector. What
/// else the test asks, it asks behind them. An element that was not looked at before, because of an earlier one, may be
/// poison: hence the freeze.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct CompareElementsTogetherPass : RequiredPass<CompareElementsTogetherPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

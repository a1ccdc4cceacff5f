// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Half arithmetic for processors that only convert (one instruction a vector), or not even that (integer operations).
///
///     %s = fadd <16 x half> %x, %y     ->     %a = fpext <16 x half> %x to <16 x float>
///                                             %b = fpext <16 x half> %y to <16 x float>
///                                             %f = fadd <16 x float> %a, %b
///                                             %s = fptrunc <16 x float> %f to <16 x half>
///
/// One operation in float and one rounding give the correctly rounded sum, difference, product, quotient and square
/// root of halves: float has twice the bits and two more (Figueroa, "When is double rounding innocuous?", 1995). That
/// does not hold for fma and the conversion of double: their intermediate result is rounded to odd (Boldo & Melquiond,
/// "Emulation of FMA and correctly rounded sums", 2008). Where arithmetic can say how it rounds, an fma is rounded down
/// and up for that.
///
/// LLVM would turn rounding functions into one scalar operation per lane, and conversions of double into one call per
/// lane; without conversions, all operations.
#pragma once

#include "compiler/base/pass.h"
#include "src/base/isa.h"

namespace lanewise {

/// Replaces arithmetic, comparisons, conversions and rounding functions of half, scalar and vector. Moves, negation,
/// fabs and copysign are bit operations and stay. Atomic arithmetic becomes a compare-and-exchange loop.
/// @returns whether there were any
bool lower_half(llvm::Module& module, Isa isa);

struct LowerHalfPass : RequiredPass<LowerHalfPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

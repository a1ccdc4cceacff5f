// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Operations on integers of more than 64 bits for which LLVM calls functions of C's run-time library, which kernels do
/// not have: divisions, and conversions from and to floating point.
///
///     %q = udiv i100 %a, %b        =>     %a128, %b128: zero-extended
///                                         br (both fit in 64 bits), label %short, label %long
///                                       short:  udiv i64
///                                       long:   a loop over the bits, as llvm::expandDivision writes it
///
///     %f = uitofp i100 %a to float =>     the number if it fits in 64 bits; else its 64 highest bits, of which the
///                                         lowest is set if a bit below is, times a power of two
///     %i = fptosi float %f to i100 =>     the mantissa, shifted by the exponent
///
/// A number is rounded once: the conversion of the 64 bits rounds, and the bit that stands for those below decides
/// halves. Vectors are taken apart.
///
/// For programs with `_BitInt`, and modules of DPC++, whose LLVM joins neighbouring values to integers of 96 and 128
/// bits (SPV_INTEL_arbitrary_precision_integers). No program that others wrote has run here yet.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct ExpandWideIntegersPass : RequiredPass<ExpandWideIntegersPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

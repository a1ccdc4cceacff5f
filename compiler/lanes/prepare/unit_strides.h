// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Gives loops of work-items a second form for strides of 1, where strides are arguments of the kernel:
///
///     for x: s += a[x * stride + offset];      =>      if (stride == 1)
///                                                        for x: s += a[x + offset];
///                                                      else
///                                                        for x: s += a[x * stride + offset];
///
/// Lanes are neighbours there. LLVM's loop vectoriser does the same for its loops. All strides of a loop are tested
/// together, and both forms are what the kernel says, so nothing has to be proven.
///
/// Vectors of BLAS libraries are such (CLBlast's xDOT, xNRM2 and the other routines of levels 1 and 2, ViennaCL), and
/// arrays of Python (pyopencl's reductions, whose step is an argument).
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class Function;
}

namespace lanewise::spmd {

/// `function` is normalised (normalise.h). True if a loop has two forms now; it is not normalised then.
[[nodiscard]] bool version_unit_strides(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace lanewise::spmd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Splits loops that the work-items of a row leave in different iterations, because each begins or ends elsewhere. What
/// all of them do is a loop without masks, and the old loop does the rest:
///
///     for (i = x; i < n; i += step)            first = 0;                            the same for all work-items
///       s += a[i];                       =>    for (; first < n - (size - 1); first += step)
///                                                s += a[first + x];                  x < size: does not wrap
///                                              for (i = first + x; i < n; i += step)
///                                                s += a[i];
///
/// Nothing is reordered, and the new test implies the old one: `first + x <= first + size - 1 < n`. Where the
/// subtraction would wrap, the limit is the least number, so that the new loop does not run. So it does not matter what
/// work-items really share. Where `i + 2` is tested, the test proves that the sum does not wrap, and nothing about `i`.
/// Inner tests of the same kind (`if (i + 256 < n) s += a[i + 256];`) are asked with the first one, and the new loop
/// has their branches only.
///
/// A loop that asks at its end whether there is a next iteration is split as well: behind the new loop each work-item
/// asks whether it has done its last one. Such are loops with memory that became a variable (promote-loop-memory).
///
/// Sums, scans and histograms over all work-items are such loops (pyopencl's reductions, CLBlast's xDOT and xASUM, the
/// reductions of SHOC and NVIDIA's samples), rows of matrices by work-groups (ViennaCL's products, norms and softmax of
/// llama.cpp), and triangles (PolyBench's correlation and covariance).
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class Function;
}

namespace lanewise::spmd {

/// `function` is normalised (normalise.h). True if a loop was split; it is not normalised then.
[[nodiscard]] bool split_common_iterations(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace lanewise::spmd

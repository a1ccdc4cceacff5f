// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Turns memory that a loop updates in one place into a value:
///
///     for (j = 0; j < n; ++j)                     if (n > 0) {
///       f[i] += s[j] * a;                           sum = f[i];
///                                            =>     for (j = 0; j < n; ++j) sum += s[j] * a;
///                                                   f[i] = sum;
///                                                 }
///
/// After work-items have become lanes, the load and the store of each iteration would be a gather and a scatter, or at
/// least wait for the store of the iteration before.
///
/// The transformation is LLVM's scalar promotion (LICM, `promoteLoopAccessesToScalars`). LLVM's own pass comes too late
/// for it. A place becomes a value if the loop has no other access that may meet it: other address spaces, `restrict`
/// and other variables are known to be apart. Code for launches whose buffers do not overlap knows that of all buffers
/// (abi::Specialisation::distinct_buffers), and other code says whether that would be a gain. Another work-item may not
/// access the place at the same time without a barrier, a fence or an atomic operation, and each of those is an access
/// that may meet it.
///
/// Rodinia's lavaMD adds to global memory in a loop over local memory. PolyBench's correlation and covariance add to
/// one buffer what they read from another.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct PromoteLoopMemoryPass : RequiredPass<PromoteLoopMemoryPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

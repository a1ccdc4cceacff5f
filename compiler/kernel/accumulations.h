// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arguments to which a kernel only adds (or of which it takes minima, maxima, and, or, xor), as histograms and
/// counters are: each use of the pointer leads to a relaxed atomic operation of one kind, on integers of one size,
/// whose result is unused. The kernel cannot see how such memory changes, so a thread may gather its changes in a copy
/// of its own, which begins with the neutral element of the operation, and bring them to the real memory later, at once
/// (runtime/tier/private_copies.h).
///
/// For code that works on such copies the operations need no lock, because no other thread uses the copy:
///
///     %old = atomicrmw add ptr addrspace(1) %bin, i32 1 monotonic    =>
///                             %old = atomicrmw add ptr addrspace(1) %bin, i32 1 syncscope("singlethread") monotonic
///
/// (local_atomics.h makes them plain after vectorisation.)
///
/// Only the order among the operations of one location is defined for relaxed atomics, so nobody can tell when the
/// changes arrive. A kernel that tells others how far it is, by a fence or by an atomic operation of another order
/// beyond its work-group, has no such arguments. Floating-point sums are not taken either: the result of adding partial
/// sums is not one that adding the values in any order could give.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// Fills in ArgInfo::accumulation and KernelInfo::accumulates. Expects SSA form, and everything inlined that is going
/// to be. For code that runs on private copies of all arguments that have been described it marks their operations.
struct DescribeAccumulationsPass : RequiredPass<DescribeAccumulationsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

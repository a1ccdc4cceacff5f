// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds kernels whose work-groups may wait for other groups, by loops that look at global memory until it changes:
///
///     while ((status = atomic_load(&flags[group - 1])) == not_ready);    a scan that looks back at its predecessors
///     atomic_inc(&arrived); while (atomic_or(&arrived, 0) < groups);     a barrier of all groups
///
/// OpenCL promises such kernels nothing, but they work where groups begin in ascending order: each then waits for
/// groups that run already. The runtime keeps that order for these kernels and for no others (Work::ordered).
///
/// A loop counts as waiting unless the pass sees that it does not wait. These do not:
///
///     do { old = *p; } while (atomic_cmpxchg(p, old, f(old)) != old);    a round follows another thread's success
///     while ((i = atomic_add(&next, 1)) < n) ...                         each round brings it nearer to its end
///     for (k = 0; k < n && table[k] != key; ++k);                        nobody has to let it see a change
///
/// A lock (`while (atomic_xchg(lock, 1))`) depends on no order either, but cannot be told from a mailbox.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/raw_ostream.h>

#include "compiler/base/pass.h"

namespace lanewise {

/// Fills in KernelInfo::waits. Expects everything inlined that is going to be, and loops in SSA form; in other forms
/// more kernels seem to wait.
struct FindGroupWaitsPass : RequiredPass<FindGroupWaitsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// The headers of the loops in which a work-item may wait for others, of its own group too, which share local memory
/// with it. Those of inner loops come after those of outer ones. Loops without a single header are not looked at.
[[nodiscard]] llvm::SmallVector<llvm::BasicBlock*> headers_of_waiting_loops(llvm::Function& function);

/// Whether the function can wait at all and has loops without a single header (irreducible control flow), in which it
/// may do so.
[[nodiscard]] bool may_wait_without_header(llvm::Function& function);

/// Prints which functions may wait for other groups.
class PrintGroupWaitsPass : public RequiredPass<PrintGroupWaitsPass> {
 public:
  explicit PrintGroupWaitsPass(llvm::raw_ostream& out) : out_(out) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  llvm::raw_ostream& out_;
};

}  // namespace lanewise

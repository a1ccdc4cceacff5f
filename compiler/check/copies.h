// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LANEWISE_CHECK=barrier: reports asynchronous copies that not all work-items of a group make, or make with the same
/// operands, and waits for other events than the other work-items wait for, or for events that no copy has made.
///
///     %e = call ptr @copy(%to, %from, %n, null)      =>      call i64 @__lw_check(copies, ..., digest of the operands)
///                                                            call void @barrier(0)
///                                                            %e = call ptr @copy(%to, %from, %n, %number)
///
/// All work-items of a group come to the runtime before one goes on, so that it compares them. The barrier orders no
/// memory, so that races are found as without it, and lowering it reports those that do not come. Each copy in the
/// source gets a number as its event, if the program gives none; a wait shows the runtime its events.
///
/// Oclgrind's test kernels have faults of this kind; docs/checker.md says how many are found.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// Comes after the library, whose types are those of the machine by now, and before it is inlined.
struct CheckCopiesPass : RequiredPass<CheckCopiesPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LANEWISE_CHECK=init: reports where a kernel's behaviour depends on memory that nobody has written. Private variables
/// and local memory have a shadow of their own size (definedness.h), of which all bits are set where a variable or a
/// work-group begins. Global memory counts as written.
///
///     %v = load i32, ptr %a            =>    %v.shadow = load i32, ptr %a.shadow
///     br i1 (%v == 0), ...                   %bad = icmp ne i32 %v.shadow, 0
///                                            br %bad, ...: call i64 @__lw_check(...)
///
/// Three uses are reported: a branch, an address, and a value that is written to global memory. Copies of structures
/// copy shadows and are not reported, because their padding may be undefined. A private variable whose address goes
/// where the compiler loses it counts as written.
///
/// Oclgrind's test kernels have faults of this kind; docs/checker.md says how many are found.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// Runs after CheckAccessesPass, so that no access to a shadow is outside of it.
struct CheckUndefinedPass : RequiredPass<CheckUndefinedPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

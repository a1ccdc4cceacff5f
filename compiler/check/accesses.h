// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LANEWISE_CHECK=memory, race: tests every access of a kernel, on canonical IR, where a kernel is still one work-item.
///
///     %v = load float, ptr addrspace(1) %p          =>        %offset = %p - %begin          ; of argument 0
///                                                             %ok = icmp ult %offset, %limit
///                                                             br %ok, %access, %fault
///                                                           access:
///                                                             %loaded = load float, ptr addrspace(1) %p
///                                                           fault:
///                                                             call i64 @__lw_check(...)       ; the report
///                                                           rest:
///                                                             %v = phi [%loaded, %access], [0.0, %fault]
///
/// An access that fails is left out, and a read gives zero. Where the object of a pointer is known (an argument, a
/// variable), its bounds are tested in line, which vectors do for all lanes at once. Otherwise the runtime looks for
/// the object. Accesses that are inside for every value are not tested. For races, which need accesses that
/// are inside, each access to global and local memory is watched (races.h).
///
/// Functions with accesses to test are inlined first, because the caller knows what a pointer points to. Private
/// variables that are pointers become values for the same reason. Flags that say an address does not overflow go, as
/// they would make the test undefined with the access.
///
/// Oclgrind's test kernels have faults of this kind; docs/checker.md says how many are found.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct CheckAccessesPass : RequiredPass<CheckAccessesPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

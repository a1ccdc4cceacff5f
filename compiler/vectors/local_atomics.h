// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Turns atomics on local memory into plain loads and stores.
///
///     %old = atomicrmw add ptr addrspace(3) %p, i32 1 monotonic   =>   %old = load i32, ptr addrspace(3) %p
///                                                                      %new = add i32 %old, 1
///                                                                      store i32 %new, ptr addrspace(3) %p
///
/// Local memory belongs to one work-group, and one thread runs all work-items of a group one after the other, so
/// no other thread can interfere. A locked instruction is about twenty times as expensive, and cannot be vectorised.
/// Pointers whose address space is not known to be local stay atomic, except for operations on private copies of global
/// memory (accumulations.h).
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// Works on range functions, after vectorisation: lanes of a vector do interfere with each other.
/// Expects generic pointers to be resolved where they can be (LLVM's InferAddressSpaces).
struct MakeLocalAtomicsPlainPass : RequiredPass<MakeLocalAtomicsPlainPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

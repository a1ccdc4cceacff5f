// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Masked loads and stores of pointers, with no more than a pointer's alignment:
///
///     masked.store(<8 x ptr> %v, ptr align 64 %p, %mask)     ->     masked.store(<8 x ptr> %v, ptr align 8 %p, %mask)
///
/// Where the processor has no such operation, LLVM takes it apart and gives each lane the alignment of the first,
/// because it takes the size of a pointer for 0; it then moves two lanes by an instruction that faults on their
/// address. Elsewhere the operation takes any address.
///
/// Not reported: LLVM 22.1 has it. Reproducer: tests/lit/faults/pointer_lanes.ll.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct AlignPointerLanesPass : RequiredPass<AlignPointerLanesPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Atomic operations whose results nobody uses, collected over the vectors of a loop of work-items as long as they stay at one
/// address, and done when it changes and behind the loop:
///
///     loop:   ...                                          loop:   %at = phi ptr [ null ], [ %p ]
///             %v = reduce(<16 x float> %x)                         %sum = phi <16 x float> [ -0.0 ], [ %next ]
///             atomicrmw fadd ptr %p, float %v        =>            if (%at != %p && %at != null) atomicrmw fadd %at, reduce(%sum)
///             br %loop, %exit                                      %next = fadd (%at == %p ? %sum : -0.0), %x
///                                                                  br %loop, %done
///                                                          done:   if (%at != null) atomicrmw fadd %at, reduce(%sum)
///
/// Relaxed operations of several work-items may come in any order. A work-item's own accesses behind the operation might see
/// it: where there are any, or anything in the loop that others' atomics could be waited for with, it stays where it is.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise::spmd {

/// In loops that the vectoriser has made.
struct CollectAtomicsPass : RequiredPass<CollectAtomicsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise::spmd

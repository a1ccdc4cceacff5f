// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Collects atomic operations whose results nobody uses over the vectors of a loop of work-items, as long as they stay
/// at one address. They are done when the address changes, and after the loop:
///
///     loop:   ...                                          loop:   %at = phi ptr [ null ], [ %p ]
///             %v = reduce(<16 x float> %x)                         %sum = phi <16 x float> [ -0.0 ], [ %next ]
///             atomicrmw fadd ptr %p, float %v        =>            if (%at != %p && %at) atomic fadd %at, reduce(%sum)
///             br %loop, %exit                                      %next = fadd (%at == %p ? %sum : -0.0), %x
///                                                                  br %loop, %done
///                                                          done:   if (%at) atomic fadd %at, reduce(%sum)
///
/// Relaxed operations of several work-items may come in any order. A work-item's own accesses after the operation might
/// see it. Where there are such accesses, or the loop has anything by which others' atomics could be waited for, the
/// operation stays where it is.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise::spmd {

/// Collects the operations in loops that the vectoriser has made.
struct CollectAtomicsPass : RequiredPass<CollectAtomicsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise::spmd

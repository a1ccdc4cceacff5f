// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Rewrites combinations of the bits of two vectors under a mask, where the other lanes keep one of the two:
///
///     select %k, ((%x & C) | (%y & ~C)), %x     ->     %x ^ ((%x ^ %y) & (select %k, ~C, 0))
///
/// With mask registers, LLVM's code generator makes one masked vpternlog of the first form. Where it has to move a
/// constant from the first operand to the last, it reorders the truth table wrongly, so that wrong bits are selected.
/// Bits of %y may be inverted, as in `(%x & ~3) | (%x & 3 ^ 3)`. The second form is a vpternlog without a mask, and the
/// constant loaded under the mask.
///
/// Upstream: llvm/llvm-project issue 157929, mended in LLVM 23 (pull request 209782). LLVM 22.1 has it.
/// Reproducer: tests/lit/faults/bit_selects.ll.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// For processors with mask registers.
struct UnmaskBitSelectsPass : RequiredPass<UnmaskBitSelectsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

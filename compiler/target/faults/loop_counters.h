// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which loops LLVM's loop vectoriser must leave alone: those that go through memory by the lower bits of a counter, by
/// different numbers of them.
///
///     for (i = 0; i < n; ++i) { a[i & 7] = x[i]; b[i & 3] = i; }
///
/// LLVM takes both for consecutive as long as the bits do not wrap, and tests that before the loop. Where it tests it
/// for more bits it takes it for granted for fewer: eight iterations store to b[0 .. 7]. Lower bits are also those of
/// a counter whose type is narrower than an address.
///
/// Upstream: llvm/llvm-project issue 191382, mended in LLVM 23 (pull request 191498). LLVM 22.1 has it.
/// Reproducer: tests/lit/faults/loop_counters.ll.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// To be run right before the loop vectoriser. The loops get `kNoVectors`.
struct KeepLoopCountersPass : RequiredPass<KeepLoopCountersPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lanewise

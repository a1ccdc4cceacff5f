// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Turns masked stores that only ever write one lane into a plain store of that element:
///
///     masked.store(<8 x i32> %v, %p, <1, 0, 0, ...>)     ->     store i32 (extractelement %v, 0), %p
///
/// LLVM's code generator does this too, but after it has merged a truncation into the store, and then it writes the
/// element in its width before the truncation: with <8 x i64> truncated to <8 x i32> it writes 8 bytes where 4 are
/// meant, where stores have masks. Such masks come from tails of a known length: a row of 33 in vectors of 8.
///
/// Upstream: llvm/llvm-project issue 179489, mended in LLVM 23 (pull request 179853). LLVM 22.1 has it.
/// Reproducer: tests/lit/faults/lone_lanes.ll.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// Only changes stores whose mask is a constant, so it runs after the passes that find constants.
struct StoreLoneLanesPass : RequiredPass<StoreLoneLanesPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops with several entries get one header: jumps into loops, bodies that functions share, and work-items that go on
/// in the middle of a loop make such loops.
///
/// LLVM's FixIrreducible does it, but loses a value where a block of such a loop branches to two of its entries (seen
/// in LLVM 22.1.8): it leads one of both edges through the new header, and drops from the phis of the other entry what
/// they have for that block. So an edge from a branch to an entry gets a block of its own before:
///
///     p:                                                  p:
///       br i1 %t, label %entry1, label %entry2              br i1 %t, label %p.entry1, label %p.entry2
///                                                   =>    p.entry1:                    ; and the same for entry2
///                                                           br label %entry1
#pragma once

#include <llvm/IR/PassManager.h>

namespace lanewise {

/// Also lowers switches to branches, because FixIrreducible takes no others.
void add_loop_headers(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

}  // namespace lanewise

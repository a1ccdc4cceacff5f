// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Moving code out of loops, where LLVM's passes have not run yet.
#pragma once

namespace llvm {
class Loop;
}

namespace lanewise {

/// Moves what is the same in all iterations in front of the loop, which has a preheader; no accesses of memory.
/// @returns whether something has moved: what is known of the loop's numbers (ScalarEvolution) is to be forgotten
bool hoist_invariants(llvm::Loop& loop);

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Moves code out of loops where LLVM's passes have not run yet.
#pragma once

namespace llvm {
class Loop;
}

namespace lanewise {

/// Moves what is the same in all iterations before the loop, which must have a preheader. Accesses of memory stay.
/// @returns whether something has moved; the caller then makes ScalarEvolution forget the loop
bool hoist_invariants(llvm::Loop& loop);

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Moves loads that are the same in all iterations before the loop:
///
///     for (n = 0; n < count[i]; ++n) ...           last = count[i]; for (n = 0; n < last; ++n) ...
///
/// Lanes that leave a loop one by one load under a mask that changes, so LLVM cannot move the vector form, and the mask
/// of an iteration waits for the load of the one before.
///
/// Loads move only out of the header, which runs whenever the loop is reached, and only out of loops that write
/// nothing.
#pragma once

namespace llvm {
class LoopInfo;
}

namespace lanewise::spmd {

/// @param loops  in simplified form; work-item loops stay as they are
void hoist_invariant_loads(const llvm::LoopInfo& loops);

}  // namespace lanewise::spmd

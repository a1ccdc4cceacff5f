// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tells whether the iterations of a loop can run side by side as far as memory is concerned: no iteration reads or
/// stores what another one stores. Each iteration may then work on its own elements of arrays, several fields of each.
///
///     p[j].force += f(p[j].place)        yes: fields of one element, whose size is the step
///     p[j] = f(p[j + 1])                 no: the next iteration stores what this one reads
///     *p += x;  p[index[j]] += x         no: the addresses are no line
#pragma once

namespace llvm {
class Loop;
class ScalarEvolution;
}  // namespace llvm

namespace lanewise::spmd {

/// @param loop  without other loops inside
[[nodiscard]] bool has_independent_iterations(const llvm::Loop& loop, unsigned iterations,
                                              llvm::ScalarEvolution& evolution);

}  // namespace lanewise::spmd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private arrays whose elements are chosen only by counters of short loops:
///
///     float v[8];
///     for (int k = 0; k < 8; ++k) v[k] = in[i * 8 + k];                 values v0, v1, ... v7
///     for (int k = 0; k < 8; ++k)                             =>        out[i * 8] = in[i * 8] * c[0] + ...
///       for (int j = 0; j < 8; ++j) sum += c[k * 8 + j] * v[j];         ...
///
/// Once the loops are unrolled, it is known which element each access is for, and each element becomes a value. LLVM
/// would unroll them too, but only after the vectoriser. The vectoriser has to see that `in[i * 8]` to `in[i * 8 + 7]`
/// are neighbours: it loads them in one piece and transposes them (lanes/analysis/field_groups.h).
#pragma once

namespace llvm {
class Function;
class LoopInfo;
class ScalarEvolution;
}  // namespace llvm

namespace lanewise {

/// True if some array in private memory is accessed in a loop, only at elements that are known once the number of the
/// iteration is, and only in loops whose number of iterations is a constant.
bool has_counted_array(llvm::Function& function, llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution);

}  // namespace lanewise

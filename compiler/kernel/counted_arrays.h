// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private arrays of which only counters of short loops choose the element:
///
///     float v[8];
///     for (int k = 0; k < 8; ++k) v[k] = in[i * 8 + k];                 values v0, v1, ... v7
///     for (int k = 0; k < 8; ++k)                             =>        out[i * 8] = in[i * 8] * c[0] + ...
///       for (int j = 0; j < 8; ++j) sum += c[k * 8 + j] * v[j];         ...
///
/// Once their loops are unrolled, which elements are accessed is known and each is a value. LLVM would do that as well, but
/// behind the vectoriser, which then has seen accesses of one element at a time where all of `in[i * 8]` to
/// `in[i * 8 + 7]` follow each other: those are loaded in one piece and transposed (lanes/analysis/field_groups.h).
#pragma once

namespace llvm {
class Function;
class LoopInfo;
class ScalarEvolution;
}  // namespace llvm

namespace lanewise {

/// True if all accesses to some array in private memory, and one in a loop, are of elements that are known where the
/// number of the iteration is, in loops whose number of iterations is a constant.
bool has_counted_array(llvm::Function& function, llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution);

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reductions and scans over the lanes of a vector, for operations between the work-items that are its lanes.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

namespace lanewise {

/// The combination of two vectors of any number of lanes, lane by lane. Of a scan `left` has the earlier lanes.
using CombineLanes = llvm::function_ref<llvm::Value*(llvm::Value* left, llvm::Value* right)>;

/// Lane l of the result is lane l - `by` of `v`; the first lanes are those of `fill`.
[[nodiscard]] llvm::Value* shifted_lanes(llvm::IRBuilderBase& b, llvm::Value* v, unsigned by, llvm::Value* fill);

/// The combination of all lanes, as a scalar: halves the vector until one lane is left.
[[nodiscard]] llvm::Value* reduced_lanes(llvm::IRBuilderBase& b, llvm::Value* v, CombineLanes combine);

/// Each lane of the result is the combination of the lane and all before it (Hillis and Steele, "Data Parallel
/// Algorithms", CACM 1986). All lanes of `neutral` are the identity.
[[nodiscard]] llvm::Value* scanned_lanes(llvm::IRBuilderBase& b, llvm::Value* v, llvm::Value* neutral,
                                         CombineLanes combine);

}  // namespace lanewise

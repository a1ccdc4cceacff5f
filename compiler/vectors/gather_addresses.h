// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Moves the addresses of gathers and scatters into their blocks:
///
///     %p = getelementptr i8, ptr %base, <16 x i64> <i64 0, i64 36, ...>      moved out of a loop by LLVM
///     ...
///     gather(<16 x ptr> %p)
///
/// Where lanes have arrays of their own, the place in the array and the lane's place become one index:
///
///     %lanes = getelementptr i8, ptr %base, <16 x i64> <i64 0, i64 4, ...>
///     %p = getelementptr i8, <16 x ptr> %lanes, <16 x i64> %i
///
///     ->  %p = getelementptr i8, ptr %base, <16 x i64> (sext (%i + <i32 0, i32 4, ...>))
///
/// The processor adds a base to indices of 32 bits; the code generator makes use of that where it sees both in one
/// block, and otherwise keeps two registers of addresses and gathers half of the lanes with each.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct SinkGatherAddressesPass : RequiredPass<SinkGatherAddressesPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Keeps masks as vectors of integers, for processors without mask registers: all bits of a lane's element are its bit.
/// LLVM narrows a `<8 x i1>` that is joined with others or leaves its block to bytes and widens it again, several
/// instructions each way. A vector of integers as large as what is compared stays what the comparison made.
///
///     loop:                                            loop:
///       %live = phi <8 x i1> [...], [%next, %loop]  =>   %live.wide = phi <8 x i32> [...], [%next.wide, %loop]
///       %c = fcmp olt <8 x float> %x, %y                 %c = fcmp olt <8 x float> %x, %y
///       %next = and <8 x i1> %live, %c                   %c.wide = sext <8 x i1> %c to <8 x i32>
///                                                        %next.wide = and <8 x i32> %live.wide, %c.wide
///       select <8 x i1> %next, ...                       %next = icmp slt <8 x i32> %next.wide, zeroinitializer
///
/// Masks that meet get one size, which most of the work in inner loops decides.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise::spmd {

struct KeepMasksInRegistersPass : RequiredPass<KeepMasksInRegistersPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise::spmd

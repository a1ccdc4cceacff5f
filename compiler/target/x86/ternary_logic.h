// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// With AVX-512 every function of three bits is one instruction (vpternlog). LLVM's code generator finds it for two
/// operations, and for some forms of three; others stay three operations, as the majority of hash functions:
///
///     %both = and <16 x i32> %x, %y
///     %differ = xor <16 x i32> %x, %y                %m = call <16 x i32> @llvm.x86.avx512.pternlog.d.512(
///     %rest = and <16 x i32> %z, %differ      =>              <16 x i32> %x, <16 x i32> %y, <16 x i32> %z, i32 232)
///     %m = or <16 x i32> %both, %rest
///
/// The constant is the table of the function (Intel 64 Software Developer's Manual, VPTERNLOGD): bit 4 a + 2 b + c is
/// its value for the bits a, b, c of the operands.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// For processors with mask registers. Merges three operations and more on whole registers whose results are used
/// nowhere else.
struct MergeTernaryLogicPass : RequiredPass<MergeTernaryLogicPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Products of 64-bit numbers in vectors whose factors fit into 32 bits (mul_hi of int, fixed point): one instruction,
/// if the code generator sees that they fit. It sees one block at a time, so it does not see a factor that comes from
/// before a loop, nor a counter that LLVM has made 64 bits wide.
///
///     mul (sext %x), %k     ->     mul (sext %x), (ashr (shl %k, 32), 32)      the shifts are free
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct ShowNarrowFactorsPass : RequiredPass<ShowNarrowFactorsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Work-group lowering and vectorisation of a kernel with sub-groups, where a sub-group is a vector.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// Decides `KernelInfo::sub_group_size`: the size that the kernel requires, else the number of 32-bit elements in a
/// vector register, or 1 where nothing may be vectorised or work-items take turns (groups/turns.h). Error: the required
/// size is not supported.
struct ChooseSubGroupSizePass : RequiredPass<ChooseSubGroupSizePass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// `lower_kernel` and the vectoriser for kernels that use sub-groups of `KernelInfo::sub_group_size` > 1 work-items. If
/// one cannot be vectorised its size becomes 1, or, where another one is required, it is an error. Other kernels stay
/// as they are.
struct LowerSubGroupsPass : RequiredPass<LowerSubGroupsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

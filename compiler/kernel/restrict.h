// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Narrows what `restrict` says where work-items exchange values.
///
/// Clang makes `noalias` of `restrict`. LLVM concludes from it that no function which does not get the pointer can
/// change the pointee, and a barrier is such a function: a work-item would not see what others have written before the
/// barrier. In a kernel that synchronises, a `restrict` pointer is therefore marked `kRestrict` instead: the pointee is
/// apart from that of other pointers (base/opencl_aliases.h), and a barrier may change it.
///
/// The pass makes kernels right, and none faster.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct NarrowRestrictPass : RequiredPass<NarrowRestrictPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise

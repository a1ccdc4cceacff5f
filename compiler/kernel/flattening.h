// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which functions have to be inlined into their kernels before work-groups are lowered.
#pragma once

#include <llvm/Support/raw_ostream.h>

#include "compiler/base/pass.h"

namespace lanewise {

/// True if `function` has, itself or through functions that it calls, a barrier, a work-item query, a printf or a
/// __local variable: such functions have to be inlined into their kernels before `lower_kernel`. An indirect call
/// counts as none of these.
[[nodiscard]] bool needs_flattening(const llvm::Function& function);

/// Prints which functions have to be inlined.
class PrintFlatteningPass : public RequiredPass<PrintFlatteningPass> {
 public:
  explicit PrintFlatteningPass(llvm::raw_ostream& out) : out_(out) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  llvm::raw_ostream& out_;
};

}  // namespace lanewise

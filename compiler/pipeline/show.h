// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Shows the module to the observer in the options (PipelineObserver) as an intermediate form. Changes no IR.
#pragma once

#include <llvm/Support/Error.h>

#include <string>
#include <utility>

#include "compiler/base/pass.h"

namespace lanewise {

class ShowPass : public RequiredPass<ShowPass> {
 public:
  static constexpr const char* kParameters = "FORM";
  static llvm::Expected<ShowPass> with(llvm::StringRef parameters);
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  explicit ShowPass(std::string form) : form_(std::move(form)) {}

  std::string form_;
};

}  // namespace lanewise

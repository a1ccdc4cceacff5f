// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Printers, which run the steps of `lower_kernel` up to some point and print what is known there. Afterwards the
/// module can only be destroyed.
#pragma once

#include <llvm/Support/raw_ostream.h>

#include "compiler/base/pass.h"

namespace lanewise {

/// Prints the function of one work-item.
class PrintWorkItemsPass : public RequiredPass<PrintWorkItemsPass> {
 public:
  explicit PrintWorkItemsPass(llvm::raw_ostream& out) : out_(out) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  llvm::raw_ostream& out_;
};

/// Prints the regions between barriers.
class PrintRegionsPass : public RequiredPass<PrintRegionsPass> {
 public:
  explicit PrintRegionsPass(llvm::raw_ostream& out) : out_(out) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  llvm::raw_ostream& out_;
};

/// Prints what lives across which barrier.
class PrintLiveValuesPass : public RequiredPass<PrintLiveValuesPass> {
 public:
  explicit PrintLiveValuesPass(llvm::raw_ostream& out) : out_(out) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  llvm::raw_ostream& out_;
};

}  // namespace lanewise

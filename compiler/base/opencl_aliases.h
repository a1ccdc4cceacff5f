// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tells LLVM's passes which memory OpenCL C keeps apart:
///
///   * Local memory and global or constant memory. On the machine all of them are plain memory, so LLVM knows nothing
///     about their address spaces.
///   * The memory of a parameter marked `kRestrict`, and that of any other parameter or variable (kernel/restrict.h).
#pragma once

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/IR/PassManager.h>

namespace lanewise {

/// One alias analysis of the chain that LLVM's AAManager asks.
class OpenClAliases : public llvm::AAResultBase {
 public:
  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method): LLVM asks the type that is registered.
  llvm::AliasResult alias(const llvm::MemoryLocation& a, const llvm::MemoryLocation& b, llvm::AAQueryInfo& query,
                          const llvm::Instruction* context);
  /// The result depends on types and parameters alone.
  bool invalidate(llvm::Function& /*function*/, const llvm::PreservedAnalyses& /*preserved*/,
                  llvm::FunctionAnalysisManager::Invalidator& /*invalidator*/) {
    return false;
  }
};

class OpenClAliasAnalysis : public llvm::AnalysisInfoMixin<OpenClAliasAnalysis> {
 public:
  using Result = OpenClAliases;
  Result run(llvm::Function& /*function*/, llvm::FunctionAnalysisManager& /*analyses*/) {
    Result aliases;  // its base has no constructor for braces
    return aliases;
  }

 private:
  friend llvm::AnalysisInfoMixin<OpenClAliasAnalysis>;
  static llvm::AnalysisKey Key;
};

}  // namespace lanewise

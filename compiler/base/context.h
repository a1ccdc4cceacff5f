// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the passes of a kernel know in addition to its IR: an analysis that is never invalidated, so that each pass can
/// run by itself (lanewise-opt) as well as in the pipeline.
#pragma once

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Support/Error.h>

#include <map>
#include <string>
#include <vector>

#include "compiler/base/effort.h"
#include "compiler/base/options.h"
#include "include/lanewise/compiler_abi.h"

namespace llvm {
class PassBuilder;
class TargetMachine;
}  // namespace llvm

namespace lanewise {

struct KernelContext {
  const CodegenOptions& options;
  llvm::TargetMachine& machine;
  /// The kernels that are compiled, one in the driver. Passes fill in what they find out. If there are none, passes
  /// that work on lowered kernels treat every function as one.
  llvm::SmallVector<abi::KernelInfo*> kernels{};
  std::vector<abi::LoopReport>* report = nullptr;  ///< receives what became of work-item loops; may be null
  WorkgroupOptions workgroup{};
  spmd::Options vectoriser{};

  // What passes decide for later ones.
  Effort effort = Effort::full;                            ///< set by choose-effort
  bool vectors = true;                                     ///< set by choose-effort: work-items may be put into lanes
  llvm::SmallPtrSet<const abi::KernelInfo*, 1> lowered{};  ///< kernels that lower-sub-groups has lowered
  bool lowered_as_vectors = false;                         ///< set by lower-sub-groups: no loop is left to vectorise
  bool item_vectors = true;                                ///< set by vectorise: loops of work-items have vector forms
  /// Set by vectorise: headers of the work-item loops, by function, that stay scalar because the source has vectors of
  /// its own.
  std::map<std::string, std::vector<std::string>> own_vectors{};
  bool scalar_code = true;               ///< set by choose-vectorisers: LLVM's vectorisers may find something
  llvm::PassBuilder* builder = nullptr;  ///< LLVM's default pipelines
  std::string error{};                   ///< text for the build log; no pass runs after the one that set it

  [[nodiscard]] bool compiles(llvm::StringRef kernel) const {
    return llvm::any_of(kernels, [&](const abi::KernelInfo* info) { return info->name == kernel; });
  }
  void fail(llvm::Error reason) { error = llvm::toString(std::move(reason)); }
};

/// A context for one kernel, as the driver uses it.
KernelContext driver_context(const CodegenOptions& options, llvm::TargetMachine& machine, abi::KernelInfo& info,
                             std::vector<abi::LoopReport>* report);

/// Whether the options allow vectorisation.
[[nodiscard]] bool vectorises(const CodegenOptions& options);

class KernelContextAnalysis : public llvm::AnalysisInfoMixin<KernelContextAnalysis> {
 public:
  struct Result {
    KernelContext* context;
    bool invalidate(llvm::Module& /*module*/, const llvm::PreservedAnalyses& /*preserved*/,
                    llvm::ModuleAnalysisManager::Invalidator& /*invalidator*/) {
      return false;
    }
  };
  explicit KernelContextAnalysis(KernelContext& context) : context_(&context) {}
  Result run(llvm::Module& /*module*/, llvm::ModuleAnalysisManager& /*analyses*/) { return {context_}; }

 private:
  friend llvm::AnalysisInfoMixin<KernelContextAnalysis>;
  static llvm::AnalysisKey Key;
  KernelContext* context_;
};

/// Functions that `lower-work-groups` made of the context's kernels; without kernels all functions.
llvm::SmallVector<llvm::Function*> lowered_kernels(llvm::Module& module, const KernelContext& context);

inline KernelContext& context_of(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  return *analyses.getResult<KernelContextAnalysis>(module).context;
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The passes of compiler/pipeline/passes.def, as LLVM's pass manager runs them. What each does is explained beside its
/// transformation. All are required: without them a kernel is wrong, so `opt-bisect-limit` and the like skip none.
#pragma once

#include <llvm/IR/PassManager.h>
#include <llvm/Support/raw_ostream.h>

#include <optional>
#include <string>

#include "compiler/pipeline/llvm_pipelines.h"

namespace lanewise {

template <class Pass>
// NOLINTNEXTLINE(bugprone-crtp-constructor-accessibility): as LLVM's own mix-in, for passes that are aggregates.
struct RequiredPass : llvm::PassInfoMixin<Pass> {
  static bool isRequired() { return true; }
};

/// Passes without members that preserve no analysis.
#define LANEWISE_PLAIN_PASS(name, unit, manager)                          \
  struct name : RequiredPass<name> {                                      \
    llvm::PreservedAnalyses run(llvm::unit& ir, llvm::manager& analyses); \
  };
#define LANEWISE_ON_MODULES(name) LANEWISE_PLAIN_PASS(name, Module, ModuleAnalysisManager)
#define LANEWISE_ON_FUNCTIONS(name) LANEWISE_PLAIN_PASS(name, Function, FunctionAnalysisManager)

// front_passes.cpp
LANEWISE_ON_MODULES(ZeroPrivateMemoryPass)
LANEWISE_ON_MODULES(KeepKernelPass)
LANEWISE_ON_MODULES(RenameUserFunctionsPass)
LANEWISE_ON_MODULES(MakeDivisionsTotalPass)
LANEWISE_ON_MODULES(MultiplyConstantPowersPass)
LANEWISE_ON_MODULES(CallRelaxedFormsPass)
LANEWISE_ON_MODULES(CallFirstTierFormsPass)
LANEWISE_ON_MODULES(LinkBuiltinsPass)
LANEWISE_ON_MODULES(ProtectSubGroupOperationsPass)
LANEWISE_ON_MODULES(RetargetPass)
LANEWISE_ON_MODULES(ResolveImageHandlesPass)
LANEWISE_ON_MODULES(DescribeQueriesPass)
LANEWISE_ON_MODULES(KeepVariablesPass)
LANEWISE_ON_MODULES(MarkForInliningPass)
LANEWISE_ON_MODULES(ShareImageReadsPass)

// compiler/pipeline/optimise.cpp
LANEWISE_ON_MODULES(SimplifyFunctionsPass)
LANEWISE_ON_MODULES(InlineMarkedPass)
LANEWISE_ON_MODULES(SplitVariablesPass)
LANEWISE_ON_MODULES(ResolveGenericPointersPass)
LANEWISE_ON_MODULES(PromotePrivateArraysPass)
LANEWISE_ON_MODULES(FoldExactConversionsPass)
LANEWISE_ON_FUNCTIONS(DistributeExtensionsPass)
LANEWISE_ON_FUNCTIONS(KeepBarrierLoopsPass)

/// LLVM's passes (compiler/pipeline/llvm_pipelines.h).
class OptimisePass : public RequiredPass<OptimisePass> {
 public:
  /// Without values the context decides.
  explicit OptimisePass(std::optional<Effort> effort = std::nullopt, std::optional<bool> scalar_code = std::nullopt)
      : effort_(effort), scalar_code_(scalar_code) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  std::optional<Effort> effort_;
  std::optional<bool> scalar_code_;
};

// lowering_passes.cpp
LANEWISE_ON_MODULES(SimplifyExchangeLoopsPass)
LANEWISE_ON_MODULES(DescribeAccumulationsPass)
LANEWISE_ON_MODULES(FindGroupWaitsPass)
LANEWISE_ON_MODULES(ChooseEffortPass)
LANEWISE_ON_MODULES(ChooseSubGroupSizePass)
LANEWISE_ON_MODULES(LowerWorkGroupsPass)
LANEWISE_ON_MODULES(VectorisePass)
LANEWISE_ON_MODULES(BlockRegistersPass)
LANEWISE_ON_MODULES(HoistRangeTestsPass)
LANEWISE_ON_MODULES(LayOutComponentsPass)
LANEWISE_ON_MODULES(LowerMachineOperationsPass)
LANEWISE_ON_MODULES(LowerLaneFunctionsPass)
LANEWISE_ON_MODULES(MakeLocalAtomicsPlainPass)
LANEWISE_ON_MODULES(SkipIdleAtomicsPass)
LANEWISE_ON_MODULES(HideHelpersPass)
LANEWISE_ON_MODULES(SplitLargeSwitchesPass)
LANEWISE_ON_MODULES(CompareElementsTogetherPass)
LANEWISE_ON_MODULES(CompareClassRangesPass)
LANEWISE_ON_MODULES(CountInstructionsPass)
LANEWISE_ON_MODULES(BlendWhereGuardedPass)
LANEWISE_ON_MODULES(KeepMasksInRegistersPass)
LANEWISE_ON_MODULES(LowerHalfPass)
LANEWISE_ON_MODULES(StoreLoneLanesPass)
LANEWISE_ON_MODULES(SplitWideProductsPass)
LANEWISE_ON_MODULES(ShowNarrowFactorsPass)
LANEWISE_ON_MODULES(OrderSumsPass)
LANEWISE_ON_MODULES(AlignPointerLanesPass)
LANEWISE_ON_MODULES(SinkGatherAddressesPass)
LANEWISE_ON_MODULES(UnmaskBitSelectsPass)
LANEWISE_ON_MODULES(MergeTernaryLogicPass)
LANEWISE_ON_MODULES(PairIterationsPass)
LANEWISE_ON_FUNCTIONS(NormaliseItemLoopsPass)
LANEWISE_ON_FUNCTIONS(SpreadIterationsPass)
LANEWISE_ON_FUNCTIONS(LowerSubGroupsOfOnePass)

#undef LANEWISE_ON_MODULES
#undef LANEWISE_ON_FUNCTIONS
#undef LANEWISE_PLAIN_PASS

/// Shows the module to the observer in the options (PipelineObserver) as the intermediate form of this name.
class ShowPass : public RequiredPass<ShowPass> {
 public:
  explicit ShowPass(std::string form) : form_(std::move(form)) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  std::string form_;
};

/// Passes that print what one step finds. After those of the work-group lowering the module can only be destroyed.
#define LANEWISE_PRINTER(name)                                                                \
  class name : public RequiredPass<name> {                                                    \
   public:                                                                                    \
    explicit name(llvm::raw_ostream& out) : out_(out) {}                                      \
    llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses); \
                                                                                              \
   private:                                                                                   \
    llvm::raw_ostream& out_;                                                                  \
  };
LANEWISE_PRINTER(PrintFlatteningPass)
LANEWISE_PRINTER(PrintGroupWaitsPass)
LANEWISE_PRINTER(PrintWorkItemsPass)
LANEWISE_PRINTER(PrintRegionsPass)
LANEWISE_PRINTER(PrintLiveValuesPass)
LANEWISE_PRINTER(PrintVectorPlansPass)  // lowering_passes.cpp
#undef LANEWISE_PRINTER

}  // namespace lanewise

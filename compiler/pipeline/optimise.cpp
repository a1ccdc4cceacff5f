// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/optimise.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <utility>

#include "compiler/base/address_spaces.h"
#include "compiler/base/diagnostics.h"
#include "compiler/base/effort.h"
#include "compiler/base/loop_properties.h"
#include "compiler/builtins/known_functions.h"
#include "compiler/kernel/call_graph.h"
#include "compiler/kernel/counted_arrays.h"
#include "compiler/kernel/distribute_extensions.h"
#include "compiler/kernel/exact_conversions.h"
#include "compiler/pipeline/llvm_pipelines.h"
#include "compiler/pipeline/passes.h"
#include "compiler/target/faults/loop_counters.h"
#include "compiler/target/faults/loop_divisions.h"
#include "compiler/target/machine.h"

namespace lanewise {

using llvm::PreservedAnalyses;

namespace {

/// Options of LLVM's vectorisers, which O1 would run. With -cl-opt-disable they would take most of the time of a large
/// build, although the user wants the code as it is written.
llvm::PipelineTuningOptions tuning(const llvm::TargetMachine& machine) {
  const bool vectors = machine.getOptLevel() != llvm::CodeGenOptLevel::Less;
  llvm::PipelineTuningOptions options;
  options.LoopVectorization = vectors;
  options.LoopInterleaving = vectors;
  options.SLPVectorization = vectors;
  return options;
}

bool keeps_variables(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  return analyses.getResult<KernelContextAnalysis>(module).context->workgroup.every_value;
}

bool has_private_array(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& i) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&i);
    return variable != nullptr && variable->getAllocatedType()->isArrayTy();
  });
}

/// True if every access to the variable is of a part that is known now, so that SROA makes values of it.
bool is_splittable(const llvm::AllocaInst& variable) {
  llvm::SmallVector<const llvm::Value*> work{&variable};
  while (!work.empty()) {
    const llvm::Value* pointer = work.pop_back_val();
    for (const llvm::User* user : pointer->users()) {
      const auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      const auto* copy = llvm::dyn_cast<llvm::MemIntrinsic>(user);
      if (step != nullptr && step->hasAllConstantIndices()) {
        work.push_back(step);
      } else if (store != nullptr) {
        if (store->isVolatile() || store->getValueOperand() == pointer) return false;
      } else if (copy != nullptr) {
        if (copy->isVolatile() || !llvm::isa<llvm::ConstantInt>(copy->getLength())) return false;
      } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user); load == nullptr || load->isVolatile()) {
        if (!llvm::isa<llvm::LifetimeIntrinsic>(user)) return false;
      }
    }
  }
  return true;
}

bool has_splittable_variable(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& i) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&i);
    return variable != nullptr && is_splittable(*variable);
  });
}

bool has_generic_pointers(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& i) {
    const llvm::Type* type = i.getType();
    return type->isPtrOrPtrVectorTy() && type->getPointerAddressSpace() == generic_space;
  });
}

}  // namespace

KernelAnalyses::KernelAnalyses(KernelContext& context, llvm::PassInstrumentationCallbacks* instrumentation)
    : Analyses(&context.machine, tuning(context.machine), library_functions(context.machine.getTargetTriple()),
               instrumentation) {
  context.builder = &builder;
  builder.registerVectorizerStartEPCallback([](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(KeepLoopCountersPass());
    passes.addPass(KeepLoopDivisionsPass());
  });
  modules.registerPass([&] { return KernelContextAnalysis(context); });
}

PreservedAnalyses DistributeExtensionsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& /*analyses*/) {
  distribute_extensions(function);
  auto preserved = PreservedAnalyses::none();
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

/// Keeps LLVM from unrolling loops with barriers, because each copy of a barrier is a loop over all work-items.
PreservedAnalyses KeepBarrierLoopsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  for (const llvm::Instruction& i : llvm::instructions(function)) {
    if (!is_barrier(i)) continue;
    for (llvm::Loop* loop = loops.getLoopFor(i.getParent()); loop != nullptr; loop = loop->getParentLoop())
      if (!llvm::hasDisableAllTransformsHint(loop) && !llvm::getBooleanLoopAttribute(loop, kNoUnrolling.name))
        llvm::addStringMetadataToLoop(loop, kNoUnrolling.name, 1);
  }
  return PreservedAnalyses::all();
}

PreservedAnalyses SimplifyFunctionsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  if (keeps_variables(module, analyses)) return PreservedAnalyses::all();
  llvm::FunctionPassManager functions;
  functions.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  functions.addPass(llvm::EarlyCSEPass());
  functions.addPass(llvm::SimplifyCFGPass());
  llvm::ModulePassManager passes;
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
  return passes.run(module, analyses);
}

PreservedAnalyses InlineMarkedPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  llvm::ModulePassManager passes;
  const bool keeps = keeps_variables(module, analyses);
  passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/!keeps));
  passes.addPass(llvm::GlobalDCEPass());
  if (keeps) return passes.run(module, analyses);
  llvm::FunctionPassManager functions;
  functions.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  functions.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  functions.addPass(llvm::SimplifyCFGPass());
  functions.addPass(DistributeExtensionsPass());
  functions.addPass(llvm::InstCombinePass());
  functions.addPass(llvm::ADCEPass());
  functions.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
  return passes.run(module, analyses);
}

/// An index that is kept in the variable itself, as the place in a buffer of random numbers, is known only after the
/// simplification above; the variable was in one piece until then.
PreservedAnalyses SplitVariablesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  if (keeps_variables(module, analyses)) return PreservedAnalyses::all();
  auto& functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  bool changed = false;
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !has_splittable_variable(function)) continue;
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
    passes.addPass(DistributeExtensionsPass());
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    functions.invalidate(function, passes.run(function, functions));
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

/// Runs twice, because a variable that generic pointers point to may itself contain pointers.
PreservedAnalyses ResolveGenericPointersPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  if (keeps_variables(module, analyses)) return PreservedAnalyses::all();
  auto& functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  bool changed = false;
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !has_generic_pointers(function)) continue;
    llvm::FunctionPassManager passes;
    for (int round = 0; round < 2; ++round) {
      passes.addPass(llvm::InferAddressSpacesPass(generic_space));
      passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
      passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
      passes.addPass(llvm::InstCombinePass());
      passes.addPass(llvm::SimplifyCFGPass());
    }
    functions.invalidate(function, passes.run(function, functions));
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses FoldExactConversionsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  const CodegenOptions& options = context_of(module, analyses).options;
  if (!options.optimise || options.launches == nullptr) return PreservedAnalyses::all();
  auto& functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  bool changed = false;
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !fold_exact_conversions(function)) continue;
    functions.invalidate(function, PreservedAnalyses::none());
    llvm::InstCombinePass().run(function, functions);
    functions.invalidate(function, PreservedAnalyses::none());
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses PromotePrivateArraysPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  if (!analyses.getResult<KernelContextAnalysis>(module).context->options.optimise) return PreservedAnalyses::all();
  auto& functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  bool changed = false;
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.getInstructionCount() > kBriefInstructions) continue;
    if (!has_private_array(function)) continue;
    if (!has_barrier(function) && !has_counted_array(function, functions.getResult<llvm::LoopAnalysis>(function),
                                                     functions.getResult<llvm::ScalarEvolutionAnalysis>(function)))
      continue;
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::LoopSimplifyPass());
    passes.addPass(llvm::LCSSAPass());
    passes.addPass(KeepBarrierLoopsPass());
    llvm::LoopPassManager loops;
    loops.addPass(llvm::LoopRotatePass(/*EnableHeaderDuplication=*/true, /*PrepareForLTO=*/false));
    loops.addPass(llvm::IndVarSimplifyPass());
    loops.addPass(llvm::LoopFullUnrollPass(/*OptLevel=*/3));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops)));
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::EarlyCSEPass());
    passes.addPass(DistributeExtensionsPass());
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    functions.invalidate(function, passes.run(function, functions));
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses OptimisePass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  const KernelContext& context = *analyses.getResult<KernelContextAnalysis>(module).context;
  keep_large_calls(module);
  llvm::ModulePassManager passes;
  add_passes(passes, *context.builder, effort_.value_or(context.effort), scalar_code_.value_or(context.scalar_code));
  return passes.run(module, analyses);
}

}  // namespace lanewise

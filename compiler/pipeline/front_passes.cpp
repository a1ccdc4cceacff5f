// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Passes up to inlining: the program and its library become one module of the machine.
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>

#include "compiler/base/context.h"
#include "compiler/base/diagnostics.h"
#include "compiler/builtins/constant_powers.h"
#include "compiler/builtins/known_functions.h"
#include "compiler/builtins/lane_functions.h"
#include "compiler/builtins/library.h"
#include "compiler/builtins/other_forms.h"
#include "compiler/builtins/sub_group_operations.h"
#include "compiler/frontend/link.h"
#include "compiler/groups/debug_info.h"
#include "compiler/groups/lowering.h"
#include "compiler/groups/queries.h"
#include "compiler/kernel/call_graph.h"
#include "compiler/kernel/division.h"
#include "compiler/kernel/image_handles.h"
#include "compiler/kernel/retarget.h"
#include "compiler/kernel/shared_reads.h"
#include "compiler/kernel/zero_private.h"
#include "compiler/pipeline/passes.h"

namespace lanewise {
namespace {

using llvm::Module;
using llvm::ModuleAnalysisManager;
using llvm::PreservedAnalyses;

bool is_compiled(const KernelContext& context, llvm::StringRef kernel) {
  return llvm::any_of(context.kernels, [&](const abi::KernelInfo* info) { return info->name == kernel; });
}

/// Null, with an error in the context, if there is none.
const BuiltinLibrary* library_of(KernelContext& context) {
  if (!context.options.builtins) context.fail(failure("internal compiler error: no built-in library"));
  return context.options.builtins.get();
}

llvm::Error link_builtins(Module& module, const BuiltinLibrary& library) {
  auto missing = library.link_into(module);
  if (!missing) return failure("internal compiler error: " + llvm::toString(missing.takeError()));
  std::string names;
  for (const std::string& name : *missing) {
    const llvm::Function* function = module.getFunction(name);
    if (function == nullptr || known_function(*function) != Known::none) continue;
    names += (names.empty() ? "" : ", ") + name;
  }
  if (names.empty()) return llvm::Error::success();
  return failure("internal compiler error: no definition of " + names);
}

}  // namespace

PreservedAnalyses ZeroPrivateMemoryPass::run(Module& module, ModuleAnalysisManager& analyses) {
  if (!context_of(module, analyses).options.zero_private) return PreservedAnalyses::all();
  zero_private_memory(module);
  return PreservedAnalyses::none();
}

PreservedAnalyses KeepKernelPass::run(Module& module, ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  for (llvm::Function* kernel : kernels_of(module)) {
    if (is_compiled(context, kernel->getName())) continue;
    if (kernel->use_empty()) {
      kernel->eraseFromParent();
    } else {
      kernel->setLinkage(llvm::GlobalValue::InternalLinkage);  // called by the kept one (SPIR-V only)
    }
  }
  // What only the other kernels call would be simplified for nothing, and its calls would count in decisions.
  (void)llvm::GlobalDCEPass().run(module, analyses);
  return PreservedAnalyses::none();
}

PreservedAnalyses RenameUserFunctionsPass::run(Module& module, ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && !is_compiled(context, function.getName()) && !function.getName().starts_with("_Z"))
      function.setName(function.getName() + kUserFunctionSuffix);
  return PreservedAnalyses::all();
}

PreservedAnalyses MakeDivisionsTotalPass::run(Module& module, ModuleAnalysisManager& /*analyses*/) {
  make_divisions_total(module);
  return PreservedAnalyses::none();
}

PreservedAnalyses MultiplyConstantPowersPass::run(Module& module, ModuleAnalysisManager& /*analyses*/) {
  return builtins::multiply_constant_powers(module) ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses CallRelaxedFormsPass::run(Module& module, ModuleAnalysisManager& analyses) {
  if (const BuiltinLibrary* library = library_of(context_of(module, analyses)))
    builtins::call_relaxed_forms(module, [&](llvm::StringRef name) { return library->defines(name); });
  return PreservedAnalyses::none();
}

PreservedAnalyses CallFirstTierFormsPass::run(Module& module, ModuleAnalysisManager& analyses) {
  KernelContext& context = context_of(module, analyses);
  const bool wanted =
      vectorises(context.options) && context.options.launches == nullptr && has_lane_functions(context.options.isa);
  const BuiltinLibrary* library = wanted ? library_of(context) : nullptr;
  if (library != nullptr)
    builtins::call_first_tier_forms(module, [&](llvm::StringRef name) { return library->defines(name); });
  return PreservedAnalyses::none();
}

PreservedAnalyses LinkBuiltinsPass::run(Module& module, ModuleAnalysisManager& analyses) {
  KernelContext& context = context_of(module, analyses);
  if (const BuiltinLibrary* library = library_of(context))
    if (llvm::Error error = link_builtins(module, *library)) context.fail(std::move(error));
  return PreservedAnalyses::none();
}

PreservedAnalyses ProtectSubGroupOperationsPass::run(Module& module, ModuleAnalysisManager& /*analyses*/) {
  protect_sub_group_operations(module);
  return PreservedAnalyses::none();
}

PreservedAnalyses RetargetPass::run(Module& module, ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  retarget(module, context.machine, context.options.isa);
  return PreservedAnalyses::none();
}

PreservedAnalyses ResolveImageHandlesPass::run(Module& module, ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  llvm::ArrayRef<Bytes> known;
  if (context.options.launches != nullptr) known = context.options.launches->known_arguments;
  resolve_image_handles(module, context.kernels, known);
  return PreservedAnalyses::none();
}

PreservedAnalyses DescribeQueriesPass::run(Module& module, ModuleAnalysisManager& /*analyses*/) {
  describe_queries(module);
  return PreservedAnalyses::none();
}

PreservedAnalyses KeepVariablesPass::run(Module& module, ModuleAnalysisManager& analyses) {
  KernelContext& context = context_of(module, analyses);
  // Operations on sub-groups need vectors, and the vectoriser needs variables in SSA form and not in memory.
  const auto in_sub_groups = [](const llvm::Function& f) { return !f.isDeclaration() && uses_sub_groups(f); };
  context.workgroup.every_value =
      !context.options.optimise && has_variables_described(module) && llvm::none_of(module, in_sub_groups);
  return PreservedAnalyses::all();
}

PreservedAnalyses MarkForInliningPass::run(Module& module, ModuleAnalysisManager& analyses) {
  KernelContext& context = context_of(module, analyses);
  if (llvm::Error error = mark_for_inlining(module, vectorises(context.options), context.options.optimise))
    context.fail(std::move(error));
  // Attributes that no analysis looks at.
  return PreservedAnalyses::all();
}

PreservedAnalyses ShareImageReadsPass::run(Module& module, ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  const bool wanted = vectorises(context.options) && context.options.launches == nullptr;
  return wanted && share_image_reads(module) ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace lanewise

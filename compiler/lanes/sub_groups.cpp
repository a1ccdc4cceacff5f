// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/sub_groups.h"

#include <llvm/IR/Function.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>

#include "compiler/base/context.h"
#include "compiler/base/diagnostics.h"
#include "compiler/builtins/sub_group_operations.h"
#include "compiler/groups/lowering.h"
#include "compiler/groups/turns.h"
#include "compiler/lanes/remarks.h"
#include "compiler/lanes/vectorise.h"

namespace lanewise {
namespace {

unsigned natural_size(const CodegenOptions& options) {
  if (options.vector_width == 1 || options.debug_barriers) return 1;
  if (options.vector_width != 0) return std::clamp(options.vector_width, kSubGroupSizes[0], 64U);
  return options.isa.usual_lanes();
}

/// Null if something cannot be vectorised, with the `reason`; the kernel cannot be used any more then.
llvm::Expected<llvm::Function*> lower_as_vectors(llvm::Function& kernel, abi::KernelInfo& info,
                                                 const CodegenOptions& options, llvm::TargetMachine& machine,
                                                 std::vector<abi::LoopReport>* report, std::string& reason) {
  auto range = lower_kernel(kernel, {.launches = options.launches, .sub_group_size = info.sub_group_size}, info);
  if (!range) return range.takeError();
  const auto decisions = spmd::vectorise(**range, machine, {.isa = options.isa, .forced_width = info.sub_group_size});
  const std::vector<abi::LoopReport> loops = spmd::report(info.name, decisions);
  spmd::announce(**range, loops);
  if (report != nullptr) llvm::append_range(*report, loops);
  for (const spmd::Decision& d : decisions)
    if (d.width != info.sub_group_size && reason.empty()) reason = d.reason;
  if (reason.empty()) return *range;
  (*range)->eraseFromParent();
  return nullptr;
}

llvm::Error choose_sub_group_size(const llvm::Function* kernel, abi::KernelInfo& info, const CodegenOptions& options) {
  const unsigned required = info.reqd_sub_group_size;
  info.sub_group_size = required != 0 ? required : natural_size(options);
  // Lanes of one vector take turns together (groups/gathered_turns.h), which takes more than work-items by themselves.
  if (required == 0 && kernel != nullptr && has_turn(*kernel)) info.sub_group_size = 1;
  if (required == 0 || llvm::is_contained(kSubGroupSizes, required)) return llvm::Error::success();
  return failure("kernel '" + info.name + "': no sub-groups of " + llvm::Twine(required) +
                 " work-items; the sizes are 4, 8, 16, 32 and 64");
}

llvm::Expected<llvm::Function*> lower_with_sub_groups(llvm::Function& kernel, abi::KernelInfo& info,
                                                      const CodegenOptions& options, llvm::TargetMachine& machine,
                                                      std::vector<abi::LoopReport>* report) {
  llvm::ValueToValueMapTy map;
  llvm::Function* spare = llvm::CloneFunction(&kernel, map);
  const std::string name = kernel.getName().str();
  std::string reason;
  auto range = lower_as_vectors(kernel, info, options, machine, report, reason);
  if (!range) return range.takeError();
  if (*range != nullptr) {
    spare->eraseFromParent();
    return *range;
  }
  if (drop_turns(*spare)) {
    spare->setName(name);
    return lower_with_sub_groups(*spare, info, options, machine, report);
  }
  if (info.reqd_sub_group_size != 0)
    return failure("kernel '" + name + "': sub-groups of " + llvm::Twine(info.sub_group_size) +
                   " work-items are not possible: " + reason);
  spare->setName(name);
  info.sub_group_size = 1;
  return lower_kernel(*spare, {}, info);
}

}  // namespace

llvm::PreservedAnalyses ChooseSubGroupSizePass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  KernelContext& context = context_of(module, analyses);
  for (abi::KernelInfo* info : context.kernels)
    if (llvm::Error error = choose_sub_group_size(module.getFunction(info->name), *info, context.options)) {
      context.fail(std::move(error));
      break;
    }
  return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses LowerSubGroupsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  KernelContext& context = context_of(module, analyses);
  bool changed = false;
  for (abi::KernelInfo* info : context.kernels) {
    llvm::Function* kernel = module.getFunction(info->name);
    if (kernel == nullptr || info->sub_group_size <= 1 || !uses_sub_groups(*kernel)) continue;
    auto range = lower_with_sub_groups(*kernel, *info, context.options, context.machine, context.report);
    if (!range) {
      context.fail(range.takeError());
      return llvm::PreservedAnalyses::none();
    }
    changed = true;
    context.lowered.insert(info);
    context.lowered_as_vectors = info->sub_group_size > 1;
  }
  return unless_changed(changed);
}

}  // namespace lanewise

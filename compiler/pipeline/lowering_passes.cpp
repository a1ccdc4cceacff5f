// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Passes from the inlined kernel on: work-groups, lanes, and what the code generator needs.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/base/analyses.h"
#include "compiler/base/context.h"
#include "compiler/base/diagnostics.h"
#include "compiler/base/effort.h"
#include "compiler/base/transformations.h"
#include "compiler/builtins/lane_functions.h"
#include "compiler/builtins/machine_operations.h"
#include "compiler/builtins/sub_group_operations.h"
#include "compiler/groups/debug_info.h"
#include "compiler/groups/lowering.h"
#include "compiler/kernel/accumulations.h"
#include "compiler/kernel/exchange_loops.h"
#include "compiler/kernel/group_waits.h"
#include "compiler/lanes/emit/register_blocking.h"
#include "compiler/lanes/few_items.h"
#include "compiler/lanes/prepare/iterations.h"
#include "compiler/lanes/prepare/normalise.h"
#include "compiler/lanes/sub_groups.h"
#include "compiler/lanes/vectorise.h"
#include "compiler/pipeline/passes.h"
#include "compiler/target/faults/bit_selects.h"
#include "compiler/target/faults/large_switches.h"
#include "compiler/target/faults/lone_lanes.h"
#include "compiler/target/faults/pointer_lanes.h"
#include "compiler/target/half.h"
#include "compiler/target/x86/ternary_logic.h"
#include "compiler/vectors/class_tests.h"
#include "compiler/vectors/component_layout.h"
#include "compiler/vectors/element_tests.h"
#include "compiler/vectors/gather_addresses.h"
#include "compiler/vectors/guarded_blends.h"
#include "compiler/vectors/idle_atomics.h"
#include "compiler/vectors/local_atomics.h"
#include "compiler/vectors/mask_registers.h"
#include "compiler/vectors/narrow_factors.h"
#include "compiler/vectors/paired_iterations.h"
#include "compiler/vectors/range_tests.h"
#include "compiler/vectors/sums.h"
#include "compiler/vectors/wide_products.h"

namespace lanewise {
namespace {

using llvm::Module;
using llvm::ModuleAnalysisManager;
using llvm::PreservedAnalyses;

/// A header's value that begins as a constant, or that plus a constant.
bool counts_from_constant(const llvm::Value* v, const llvm::Loop& loop) {
  if (const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(v))
    v = sum->getOpcode() == llvm::Instruction::Add && llvm::isa<llvm::ConstantInt>(sum->getOperand(1))
            ? sum->getOperand(0)
            : nullptr;
  const auto* phi = llvm::dyn_cast_or_null<llvm::PHINode>(v);
  if (phi == nullptr || phi->getParent() != loop.getHeader()) return false;
  return llvm::any_of(phi->incoming_values(), [](const llvm::Use& use) { return llvm::isa<llvm::ConstantInt>(use); });
}

/// True if some loop runs from one constant to another: LLVM may unroll it completely, and what it stores in private
/// arrays may then be kept in registers.
bool has_counted_loops(const llvm::LoopInfo& loops) {
  return llvm::any_of(loops.getLoopsInPreorder(), [](const llvm::Loop* loop) {
    llvm::SmallVector<llvm::BasicBlock*> exiting;
    loop->getExitingBlocks(exiting);
    return llvm::any_of(exiting, [&](const llvm::BasicBlock* block) {
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      const auto* test = branch != nullptr ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
      return test != nullptr && llvm::isa<llvm::ConstantInt>(test->getOperand(1)) &&
             counts_from_constant(test->getOperand(0), *loop);
    });
  });
}

bool has_counted_loops(Module& module, ModuleAnalysisManager& analyses) {
  auto& functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  return llvm::any_of(module, [&](llvm::Function& function) {
    return !function.isDeclaration() && has_counted_loops(functions.getResult<llvm::LoopAnalysis>(function));
  });
}

/// Decides by what is left after inlining: kernels that are one function have pipelines of their own. Kernels that
/// proved hot get every pass, up to a time limit (time_budget.h).
Effort effort_of(Module& module, const CodegenOptions& options, ModuleAnalysisManager& analyses) {
  const bool large_program = options.large_program && !has_counted_loops(module, analyses);
  const Effort effort = effort_for(module.getInstructionCount(), large_program);
  if (!options.optimise) return effort == Effort::least ? effort : Effort::none;
  if (options.launches != nullptr) return Effort::full;
  const auto functions = llvm::count_if(module, [](const llvm::Function& f) { return !f.isDeclaration(); });
  const bool moderate = effort == Effort::normal || effort == Effort::brief;
  return moderate && functions > 1 ? Effort::full : effort;
}

/// True if vectors are taken apart and stored element by element, which LLVM may join to vector stores.
bool stores_elements(const llvm::Function& function) {
  constexpr unsigned kFew = 8;
  unsigned found = 0;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& i : block)
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
        found += llvm::isa<llvm::ExtractElementInst>(store->getValueOperand()) ? 1 : 0;
  return found >= kFew;
}

llvm::Error lower(Module& module, KernelContext& context, abi::KernelInfo& info) {
  llvm::Function* kernel = module.getFunction(info.name);
  if (kernel == nullptr) return failure("internal compiler error: kernel " + info.name + " is gone");
  const bool sub_groups = info.sub_group_size > 1 && uses_sub_groups(*kernel);
  auto range = sub_groups ? lower_with_sub_groups(*kernel, info, context.options, context.machine, context.report)
                          : lower_kernel(*kernel, context.workgroup, info);
  if (!range) return range.takeError();
  context.lowered_as_vectors = sub_groups && info.sub_group_size > 1;
  return llvm::Error::success();
}

/// Notes how many instructions each kernel has, with all functions that kernels call.
void count_instructions(const Module& module, const KernelContext& context, std::string abi::KernelInfo::* name,
                        std::uint32_t abi::InstructionCounts::* count) {
  unsigned shared = module.getInstructionCount();
  for (const abi::KernelInfo* info : context.kernels)
    if (const llvm::Function* kernel = module.getFunction(info->*name)) shared -= kernel->getInstructionCount();
  for (abi::KernelInfo* info : context.kernels)
    if (const llvm::Function* kernel = module.getFunction(info->*name))
      info->instructions.*count = kernel->getInstructionCount() + shared;
}

}  // namespace

PreservedAnalyses ChooseEffortPass::run(Module& module, ModuleAnalysisManager& analyses) {
  KernelContext& context = context_of(module, analyses);
  context.effort = context.workgroup.every_value ? Effort::debug : effort_of(module, context.options, analyses);
  count_instructions(module, context, &abi::KernelInfo::name, &abi::InstructionCounts::item);
  context.vectors = vectorises(context.options) && context.effort != Effort::least;
  context.workgroup.merge_groups = context.vectors;
  if (context.effort == Effort::least || context.effort == Effort::debug)
    context.machine.setOptLevel(llvm::CodeGenOptLevel::None);
  return PreservedAnalyses::all();
}

PreservedAnalyses ChooseSubGroupSizePass::run(Module& module, ModuleAnalysisManager& analyses) {
  KernelContext& context = context_of(module, analyses);
  for (abi::KernelInfo* info : context.kernels)
    if (llvm::Error error = choose_sub_group_size(*info, context.options)) {
      context.fail(std::move(error));
      break;
    }
  return PreservedAnalyses::all();
}

PreservedAnalyses LowerWorkGroupsPass::run(Module& module, ModuleAnalysisManager& analyses) {
  KernelContext& context = context_of(module, analyses);
  for (abi::KernelInfo* info : context.kernels)
    if (llvm::Error error = lower(module, context, *info)) {
      context.fail(std::move(error));
      break;
    }
  return PreservedAnalyses::none();
}

/// Sets `row_items`, so that launches are not divided inside of the vectors that neighbouring groups share, `rows`, and
/// whether no lanes were considered.
static void note_blocks(abi::KernelInfo& info, llvm::ArrayRef<spmd::Decision> decisions) {
  constexpr unsigned kLikely = 2;
  info.instructions.fill_registers = llvm::any_of(decisions, [](const spmd::Decision& d) { return d.fills; });
  for (const spmd::Decision& d : decisions)
    if (d.width > 1 && !d.iterations)
      info.shape.rows = std::max({info.shape.rows, d.rows, d.shares_rows ? kLikely : 0});
  if (info.shape.row_items == 0 || info.shape.team_groups != 0) return;
  for (const spmd::Decision& d : decisions)
    if (!d.iterations) info.shape.row_items = std::max(info.shape.row_items, d.width * d.columns);
}

PreservedAnalyses VectorisePass::run(Module& module, ModuleAnalysisManager& analyses) {
  KernelContext& context = context_of(module, analyses);
  if (context.lowered_as_vectors) return PreservedAnalyses::all();
  for (llvm::Function* function : lowered_kernels(module, context)) {
    const bool one = context.kernels.size() == 1;
    const std::string name = one ? context.kernels.front()->name : function->getName().str();
    std::vector<spmd::Decision> decisions;
    if (context.vectors) {
      spmd::Options options = context.vectoriser;
      options.share_branches = context.effort == Effort::full;
      options.long_rows = one && context.kernels.front()->shape.row_items != 0;
      decisions = spmd::vectorise(*function, context.machine, options);
      const auto is_done = [](const spmd::Decision& d) { return d.masked_tail || d.one_form; };
      context.scalar_code = !llvm::all_of(decisions, is_done) || stores_elements(*function);
      if (has_variables_described(module)) drop_unreachable_locations(*function);
      if (one) note_blocks(*context.kernels.front(), decisions);
    } else if (context.vectoriser.iteration_lanes != 0) {
      decisions = spmd::vectorise_iterations(*function, context.machine, context.vectoriser);
    } else if (vectorises(context.options)) {
      decisions.push_back({.loop = "all of it", .width = 1, .reason = "a huge kernel"});
    }
    if (context.report != nullptr) llvm::append_range(*context.report, spmd::report(name, decisions));
  }
  const bool may_change = context.vectors || context.vectoriser.iteration_lanes != 0;
  return may_change ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses PrintVectorPlansPass::run(Module& module, ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  for (llvm::Function* function : lowered_kernels(module, context)) {
    const std::string plans = spmd::describe_plans(*function, context.machine, context.vectoriser);
    for (llvm::StringRef rest = plans; !rest.empty(); rest = rest.split('\n').second)
      out_ << "; " << function->getName() << ' ' << rest.split('\n').first << '\n';
  }
  return PreservedAnalyses::all();
}

PreservedAnalyses BlockRegistersPass::run(Module& module, ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  for (llvm::Function* function : lowered_kernels(module, context))
    spmd::block_registers(*function, context.vectoriser.isa, true);
  return PreservedAnalyses::none();
}

PreservedAnalyses LowerMachineOperationsPass::run(Module& module, ModuleAnalysisManager& analyses) {
  lower_machine_operations(module, context_of(module, analyses).machine);
  return PreservedAnalyses::none();
}

PreservedAnalyses LowerLaneFunctionsPass::run(Module& module, ModuleAnalysisManager& analyses) {
  if (llvm::none_of(module, is_lane_function)) return PreservedAnalyses::all();
  lower_lane_functions(module, context_of(module, analyses).options.isa);
  return PreservedAnalyses::none();
}

PreservedAnalyses SimplifyExchangeLoopsPass::run(Module& module, ModuleAnalysisManager&) {
  bool changed = false;
  for (llvm::Function& function : module) changed |= simplify_exchange_loops(function);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses DescribeAccumulationsPass::run(Module& module, ModuleAnalysisManager& analyses) {
  KernelContext& context = context_of(module, analyses);
  const bool copies = context.options.launches != nullptr && context.options.launches->private_copies;
  bool changed = false;
  for (abi::KernelInfo* info : context.kernels) {
    llvm::Function* kernel = module.getFunction(info->name);
    if (kernel == nullptr) continue;
    describe_accumulations(*kernel, *info);
    if (copies) changed |= mark_private_accumulations(*kernel, *info);
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses FindGroupWaitsPass::run(Module& module, ModuleAnalysisManager& analyses) {
  for (abi::KernelInfo* info : context_of(module, analyses).kernels)
    if (llvm::Function* kernel = module.getFunction(info->name)) info->waits = may_wait_for_groups(*kernel);
  return PreservedAnalyses::all();
}

PreservedAnalyses MakeLocalAtomicsPlainPass::run(Module& module, ModuleAnalysisManager& analyses) {
  for (llvm::Function* function : lowered_kernels(module, context_of(module, analyses)))
    make_local_atomics_plain(*function);
  return PreservedAnalyses::none();
}

PreservedAnalyses SkipIdleAtomicsPass::run(Module& module, ModuleAnalysisManager& analyses) {
  if (!context_of(module, analyses).options.optimise) return PreservedAnalyses::all();
  bool changed = false;
  for (llvm::Function& function : module) changed |= skip_idle_atomics(function);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses HideHelpersPass::run(Module& module, ModuleAnalysisManager& analyses) {
  const auto visible = lowered_kernels(module, context_of(module, analyses));
  for (llvm::Function& function : module)
    if (!llvm::is_contained(visible, &function) && !function.isDeclaration())
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  return PreservedAnalyses::none();
}

PreservedAnalyses SplitLargeSwitchesPass::run(Module& module, ModuleAnalysisManager& /*analyses*/) {
  split_large_switches(module);
  return PreservedAnalyses::none();
}

PreservedAnalyses CompareElementsTogetherPass::run(Module& module, ModuleAnalysisManager& analyses) {
  if (!context_of(module, analyses).options.optimise) return PreservedAnalyses::all();
  bool changed = false;
  for (llvm::Function& function : module) changed |= compare_elements_together(function);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses CompareClassRangesPass::run(Module& module, ModuleAnalysisManager& analyses) {
  // AVX-512 has an instruction for the tests.
  if (context_of(module, analyses).options.isa.has_mask_registers()) return PreservedAnalyses::all();
  compare_class_ranges(module);
  return PreservedAnalyses::none();
}

PreservedAnalyses CountInstructionsPass::run(Module& module, ModuleAnalysisManager& analyses) {
  count_instructions(module, context_of(module, analyses), &abi::KernelInfo::symbol, &abi::InstructionCounts::code);
  return PreservedAnalyses::all();
}

PreservedAnalyses HoistRangeTestsPass::run(Module& module, ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  // Less effort does not take what is the same in all iterations out of a loop.
  if (!context.vectors || context.effort != Effort::full) return PreservedAnalyses::all();
  Analyses own(&context.machine);
  for (llvm::Function* function : lowered_kernels(module, context)) hoist_range_tests(*function, own.functions);
  return PreservedAnalyses::none();
}

PreservedAnalyses LayOutComponentsPass::run(Module& module, ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  if (!context.vectors) return PreservedAnalyses::all();
  bool changed = false;
  for (llvm::Function* function : lowered_kernels(module, context)) {
    const bool by_item = spmd::lay_out_by_item(*function);
    const bool transposed = spmd::transpose_components(*function, !context.options.isa.has_mask_registers());
    if (by_item) tally(Transformation::lay_out_by_item);
    if (transposed) tally(Transformation::transpose_components);
    changed |= by_item || transposed;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses BlendWhereGuardedPass::run(Module& module, ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  if (!context.vectors) return PreservedAnalyses::all();
  for (llvm::Function* function : lowered_kernels(module, context)) spmd::blend_where_guarded(*function);
  return PreservedAnalyses::none();
}

PreservedAnalyses KeepMasksInRegistersPass::run(Module& module, ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  const bool vectors = context.vectors || llvm::any_of(context.kernels, [](const abi::KernelInfo* info) {
                         return info->sub_group_size > 1;
                       });
  if (!vectors || context.options.isa.has_mask_registers()) return PreservedAnalyses::all();
  for (llvm::Function* function : lowered_kernels(module, context)) spmd::keep_masks_in_registers(*function);
  return PreservedAnalyses::none();
}

PreservedAnalyses LowerHalfPass::run(Module& module, ModuleAnalysisManager& analyses) {
  lower_half(module, context_of(module, analyses).options.isa);
  return PreservedAnalyses::none();
}

PreservedAnalyses StoreLoneLanesPass::run(Module& module, ModuleAnalysisManager& /*analyses*/) {
  store_lone_lanes(module);
  return PreservedAnalyses::none();
}

PreservedAnalyses SplitWideProductsPass::run(Module& module, ModuleAnalysisManager& /*analyses*/) {
  split_wide_products(module);
  return PreservedAnalyses::none();
}

PreservedAnalyses ShowNarrowFactorsPass::run(Module& module, ModuleAnalysisManager& analyses) {
  auto& functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  bool changed = false;
  for (llvm::Function& f : module)
    changed |= !f.isDeclaration() && show_narrow_factors(f, [&]() -> llvm::ScalarEvolution& {
      return functions.getResult<llvm::ScalarEvolutionAnalysis>(f);
    });
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses AlignPointerLanesPass::run(Module& module, ModuleAnalysisManager& /*analyses*/) {
  align_pointer_lanes(module);
  return PreservedAnalyses::none();
}

PreservedAnalyses OrderSumsPass::run(Module& module, ModuleAnalysisManager& /*analyses*/) {
  order_sums(module);
  return PreservedAnalyses::none();
}

PreservedAnalyses SinkGatherAddressesPass::run(Module& module, ModuleAnalysisManager& /*analyses*/) {
  bool changed = false;
  for (llvm::Function& function : module) changed |= sink_gather_addresses(function);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses UnmaskBitSelectsPass::run(Module& module, ModuleAnalysisManager& analyses) {
  if (!context_of(module, analyses).options.isa.has_mask_registers()) return PreservedAnalyses::all();
  unmask_bit_selects(module);
  return PreservedAnalyses::none();
}

PreservedAnalyses MergeTernaryLogicPass::run(Module& module, ModuleAnalysisManager& analyses) {
  if (!context_of(module, analyses).options.isa.has_mask_registers()) return PreservedAnalyses::all();
  bool changed = false;
  for (llvm::Function& function : module) changed |= merge_ternary_logic(function);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses PairIterationsPass::run(Module& module, ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  if (!context.vectors || context.effort != Effort::full) return PreservedAnalyses::all();
  bool changed = false;
  for (llvm::Function* function : lowered_kernels(module, context))
    changed |= pair_iterations(*function, context.machine.getTargetTransformInfo(*function), context.options.isa);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses NormaliseItemLoopsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  spmd::normalise(function, analyses);
  return PreservedAnalyses::none();
}

PreservedAnalyses SpreadIterationsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  spmd::normalise(function, analyses);
  (void)spmd::spread_iterations(function, analyses, [](unsigned) { return true; });
  return PreservedAnalyses::none();
}

PreservedAnalyses LowerSubGroupsOfOnePass::run(llvm::Function& function, llvm::FunctionAnalysisManager& /*analyses*/) {
  lower_at_size_one(function);
  auto preserved = PreservedAnalyses::none();
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

PreservedAnalyses ShowPass::run(Module& module, ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  const PipelineObserver* observer = context.options.observer;
  if (observer == nullptr || !observer->wants(form_)) return PreservedAnalyses::all();
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out, nullptr);
  observer->show(form_, context.kernels.empty() ? "" : context.kernels.front()->name, text);
  return PreservedAnalyses::all();
}

}  // namespace lanewise

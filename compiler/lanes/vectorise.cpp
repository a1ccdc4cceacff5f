// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/vectorise.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/base/analyses.h"
#include "compiler/base/context.h"
#include "compiler/base/debug_locations.h"
#include "compiler/base/marks.h"
#include "compiler/lanes/analysis/facts.h"
#include "compiler/lanes/emit/item_loop.h"
#include "compiler/lanes/emit/sub_group_loop.h"
#include "compiler/lanes/few_items.h"
#include "compiler/lanes/plan/planner.h"
#include "compiler/lanes/plan/report.h"
#include "compiler/lanes/plan/shared_rows.h"
#include "compiler/lanes/prepare/common_iterations.h"
#include "compiler/lanes/prepare/normalise.h"
#include "compiler/lanes/prepare/row_walks.h"
#include "compiler/lanes/prepare/unit_strides.h"
#include "compiler/lanes/remarks.h"
#include "compiler/lanes/take_body.h"

namespace lanewise::spmd {
namespace {

/// Loops of bodies that functions share have many exits, and most do not become vectors. Normalised, they have a
/// phi for each value and exit, which costs LLVM minutes where there are many.
bool has_many_shared_bodies(const llvm::Function& function) {
  constexpr unsigned kMostInstructions = 10'000;
  return function.hasFnAttribute(marks::kSharedBodies) && function.getInstructionCount() > kMostInstructions;
}

/// Takes a function through the steps.
class Vectoriser {
 public:
  Vectoriser(llvm::Function& function, llvm::TargetMachine& machine, const Options& options)
      : function_(function),
        options_(options),
        analyses_(&machine),
        many_shared_bodies_(has_many_shared_bodies(function)) {
    find_loops();
    source_vectors_ = find_source_vectors(function, *loops_, options.isa.vector_bytes());
    if (keeps_source_vectors() || many_shared_bodies_) return;
    normalise(function, analyses_.functions);
    if (options.share_branches && version_unit_strides(function, analyses_.functions))
      normalise(function, analyses_.functions);
    if (options.share_branches && split_common_iterations(function, analyses_.functions))
      normalise(function, analyses_.functions);
    unroll_row_walks(function, analyses_.functions);
    find_loops();
    target_ = &analyses_.functions.getResult<llvm::TargetIRAnalysis>(function);
    source_vectors_.carried &= items_.size() == 1;
  }

  /// The loops stay scalar because of the source's own vectors, which would be known only after these have been taken
  /// apart: a hash of sixteen messages becomes 20,000 instructions.
  [[nodiscard]] bool keeps_source_vectors() const {
    return source_vectors_.many && options_.forced_width == 0 &&
           llvm::none_of(items_, [](const llvm::Loop* loop) { return sub_group_loop(*loop).width != 0; });
  }

  std::vector<Decision> run() {
    std::vector<Decision> decisions;
    for (llvm::Loop* loop : items_) {
      decisions.emplace_back();
      decisions.back().loop = loop->getHeader()->getName().str();
      vectorise(*loop, decisions.back());
    }
    return decisions;
  }

  /// Describes each loop in a line, without changing any.
  std::string describe() {
    std::string text;
    for (llvm::Loop* loop : items_) {
      const auto facts = facts_of(*loop);
      const auto plan = plan_of(facts);
      const auto* refusal = std::get_if<Refusal>(&plan);
      text += loop->getHeader()->getName().str() + ": ";
      text += refusal != nullptr ? "scalar, " + refusal->text() : text_of(std::get<LoopPlan>(plan).plan);
      if (refusal == nullptr && shares_rows(std::get<LoopFacts>(facts))) text += ", shares rows";
      text += '\n';
    }
    return text;
  }

 private:
  [[nodiscard]] std::variant<LoopPlan, Refusal> plan_of(const std::variant<LoopFacts, Refusal>& facts) const {
    if (const auto* refusal = std::get_if<Refusal>(&facts)) return *refusal;
    return make_plan(std::get<LoopFacts>(facts), *target_, options_);
  }

  void find_loops() {
    loops_ = &analyses_.functions.getResult<llvm::LoopAnalysis>(function_);
    items_.clear();
    for (llvm::Loop* loop : loops_->getLoopsInPreorder())
      if (items_metadata(*loop) != nullptr) items_.push_back(loop);
  }

  [[nodiscard]] std::variant<LoopFacts, Refusal> facts_of(llvm::Loop& loop) const {
    if (keeps_source_vectors()) return Refusal{Reason::fills};
    if (many_shared_bodies_) return Refusal{Reason::shared_bodies};
    return analyse(loop, *loops_, source_vectors_);
  }

  void vectorise(llvm::Loop& loop, Decision& decision) {
    const auto facts = facts_of(loop);
    const auto plan = plan_of(facts);
    if (const auto* refusal = std::get_if<Refusal>(&plan)) {
      count(refusal->reason);
      decision.reason = refusal->text();
      decision.own_vectors = refusal->reason == Reason::spills;
      decision.fills = refusal->reason == Reason::fills;
      if (options_.explain && refusal->reason != Reason::marked) decision.line = first_line(loop);
      return;
    }
    note(std::get<LoopFacts>(facts), std::get<LoopPlan>(plan), decision);
    emit(std::get<LoopFacts>(facts), std::get<LoopPlan>(plan));
  }

  void note(const LoopFacts& facts, const LoopPlan& chosen, Decision& decision) const {
    const Plan& plan = chosen.plan;
    decision.width = plan.width;
    if (!plan.sub_groups) decision.tail = plan.tail;
    decision.shares_rows = options_.quick && shares_rows(facts);
    if (!options_.explain) return;
    decision.line = first_line(*facts.items.loop);
    if (plan.sub_groups) return;
    decision.accesses = describe_accesses(*facts.body, chosen.inner);
    decision.cost = plan.vector_cost / plan.scalar_cost;
  }

  void emit(const LoopFacts& facts, const LoopPlan& plan) {
    if (plan.plan.sub_groups)
      emit_sub_group_loop(facts, plan, *target_, sub_group_storage_);
    else
      emit_item_loop(facts, plan, options_.isa, *target_);
  }

  llvm::Function& function_;
  const Options& options_;
  Analyses analyses_;
  LaneStorage sub_group_storage_;
  const bool many_shared_bodies_;
  SourceVectors source_vectors_;
  const llvm::LoopInfo* loops_ = nullptr;
  const llvm::TargetTransformInfo* target_ = nullptr;
  llvm::SmallVector<llvm::Loop*> items_;
};

/// Sets `row_items`, so that launches are not divided inside of the vectors that neighbouring groups share, `rows`, and
/// whether no lanes were considered. The passes that block work-items set more.
void note_shape(abi::KernelInfo& info, llvm::ArrayRef<Decision> decisions) {
  constexpr unsigned kLikely = 2;
  info.own_vectors = llvm::any_of(decisions, [](const Decision& d) { return d.fills; });
  for (const Decision& d : decisions)
    if (d.width > 1 && !d.iterations) info.shape.rows = std::max(info.shape.rows, d.shares_rows ? kLikely : 1U);
  if (info.shape.row_items == 0 || info.shape.team_groups != 0) return;
  for (const Decision& d : decisions)
    if (!d.iterations) info.shape.row_items = std::max(info.shape.row_items, d.width);
}

/// Tells the passes that block work-items what there is.
void note_loops(const llvm::Function& function, llvm::ArrayRef<Decision> decisions, KernelContext& context) {
  for (const Decision& d : decisions) context.item_vectors |= d.width > 1 && !d.iterations;
  if (llvm::any_of(decisions, [](const Decision& d) { return d.width > 1; })) return;
  for (const Decision& d : decisions)
    if (d.own_vectors) context.own_vectors[function.getName().str()].push_back(d.loop);
}

/// Sets what is known about the rows of the only kernel.
void set_rows(const KernelContext& context, Options& options) {
  if (context.kernels.size() != 1) return;
  const abi::KernelInfo& kernel = *context.kernels.front();
  options.long_rows = kernel.shape.row_items != 0;
  options.short_rows = !options.long_rows && kernel.reqd_work_group_size[0] == 0;
}

}  // namespace

std::vector<Decision> vectorise(llvm::Function& function, llvm::TargetMachine& machine, const Options& options) {
  // Works on a copy, so that a function in which nothing is vectorised keeps its form.
  llvm::ValueToValueMapTy map;
  llvm::Function* copy = llvm::CloneFunction(&function, map);
  std::vector<Decision> decisions = Vectoriser(*copy, machine, options).run();
  // What no branch leads to any more is not valid.
  llvm::EliminateUnreachableBlocks(*copy);
  bool any = false;
  for (const Decision& d : decisions) any |= d.width > 1;
  if (any && llvm::verifyFunction(*copy)) {
    any = false;
    for (Decision& d : decisions) d = {.loop = d.loop, .reason = text_of(Reason::invalid)};
  }
  if (any) take_body(function, *copy);
  copy->eraseFromParent();
  if (any || !options.share_branches) return decisions;
  if (options.iteration_lanes != 0) llvm::append_range(decisions, vectorise_iterations(function, machine, options));
  return decisions;
}

std::string describe_plans(llvm::Function& function, llvm::TargetMachine& machine, const Options& options) {
  llvm::ValueToValueMapTy map;
  llvm::Function* copy = llvm::CloneFunction(&function, map);
  std::string text = Vectoriser(*copy, machine, options).describe();
  copy->eraseFromParent();
  return text;
}

llvm::PreservedAnalyses VectorisePass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  KernelContext& context = context_of(module, analyses);
  context.item_vectors = false;
  context.own_vectors.clear();
  for (llvm::Function* function : lowered_kernels(module, context)) {
    const bool one = context.kernels.size() == 1;
    const std::string name = one ? context.kernels.front()->name : function->getName().str();
    std::vector<Decision> decisions;
    if (context.vectors) {
      Options options = context.vectoriser;
      options.explain |= wants_remarks(*function);
      options.share_branches = context.effort == Effort::full;
      set_rows(context, options);
      decisions = vectorise(*function, context.machine, options);
      const auto is_done = [](const Decision& d) { return d.tail != Tail::scalar; };
      context.scalar_code = !llvm::all_of(decisions, is_done);
      if (has_variables_described(module)) drop_unreachable_locations(*function);
      if (one) note_shape(*context.kernels.front(), decisions);
    } else if (context.vectoriser.iteration_lanes != 0) {
      decisions = vectorise_iterations(*function, context.machine, context.vectoriser);
    } else if (vectorises(context.options)) {
      decisions.push_back({.loop = "all of it", .width = 1, .reason = "a huge kernel"});
    }
    note_loops(*function, decisions, context);
    const std::vector<abi::LoopReport> loops = report(name, decisions);
    announce(*function, loops);
    if (context.report != nullptr) llvm::append_range(*context.report, loops);
  }
  const bool may_change = context.vectors || context.vectoriser.iteration_lanes != 0;
  return unless_changed(may_change);
}

llvm::PreservedAnalyses PrintVectorPlansPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  for (llvm::Function* function : lowered_kernels(module, context)) {
    const std::string plans = describe_plans(*function, context.machine, context.vectoriser);
    for (llvm::StringRef rest = plans; !rest.empty(); rest = rest.split('\n').second)
      out_ << "; " << function->getName() << ' ' << rest.split('\n').first << '\n';
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace lanewise::spmd

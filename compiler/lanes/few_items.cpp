// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/few_items.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/base/analyses.h"
#include "compiler/base/transformations.h"
#include "compiler/lanes/analysis/facts.h"
#include "compiler/lanes/emit/item_loop.h"
#include "compiler/lanes/plan/planner.h"
#include "compiler/lanes/prepare/iterations.h"
#include "compiler/lanes/prepare/normalise.h"
#include "compiler/lanes/take_body.h"

namespace lanewise::spmd {
namespace {

/// One copy of the function, in which some loops are spread.
class Attempt {
 public:
  Attempt(llvm::Function& function, llvm::TargetMachine& machine, const Options& options,
          llvm::function_ref<bool(unsigned)> wanted)
      : options_(options), analyses_(&machine) {
    options_.forced_width = options.iteration_lanes == 1 ? 0 : options.iteration_lanes;
    llvm::ValueToValueMapTy map;
    copy_ = llvm::CloneFunction(&function, map);
    normalise(*copy_, analyses_.functions);
    loops_ = spread_iterations(*copy_, analyses_.functions, wanted);
  }
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;
  ~Attempt() {
    analyses_.functions.clear();
    copy_->eraseFromParent();
  }

  /// Which of the loops pay.
  std::vector<bool> paying() {
    std::vector<bool> pay;
    for_each([&](const IterationLoop& loop, const LoopFacts* facts, const LoopPlan* plan) {
      pay.push_back(facts != nullptr && pays(loop, plan->plan));
    });
    return pay;
  }

  /// Vectorises them all, and gives the result to the function, if it is valid.
  std::vector<Decision> put_into(llvm::Function& function) {
    const auto& target = analyses_.functions.getResult<llvm::TargetIRAnalysis>(*copy_);
    std::vector<Decision> decisions;
    for_each([&](const IterationLoop& loop, const LoopFacts* facts, const LoopPlan* plan) {
      if (facts == nullptr) return;
      emit_item_loop(*facts, *plan, options_.isa, target);
      decisions.push_back({.loop = loop.name, .width = plan->plan.width, .reason = "", .iterations = true});
    });
    llvm::removeUnreachableBlocks(*copy_);
    if (decisions.size() != loops_.size() || llvm::verifyFunction(*copy_)) return {};
    tally(Transformation::spread_iterations);
    take_body(function, *copy_);
    return decisions;
  }

 private:
  template <class F>
  void for_each(F&& visit) {
    const auto& info = analyses_.functions.getResult<llvm::LoopAnalysis>(*copy_);
    const auto& target = analyses_.functions.getResult<llvm::TargetIRAnalysis>(*copy_);
    llvm::SmallVector<llvm::Loop*> all = info.getLoopsInPreorder();
    for (const IterationLoop& spread : loops_) {
      auto* loop = *llvm::find_if(all, [&](auto* l) { return l->getHeader()->getName() == spread.name; });
      const auto facts = analyse(*loop, info, {});
      const auto* found = std::get_if<LoopFacts>(&facts);
      if (found == nullptr) {
        visit(spread, nullptr, nullptr);
        continue;
      }
      const auto plan = make_plan(*found, target, options_);
      const auto* made = std::get_if<LoopPlan>(&plan);
      visit(spread, made == nullptr ? nullptr : found, made);
    }
  }

  /// With what the sums cost beside the vectors.
  [[nodiscard]] bool pays(const IterationLoop& loop, const Plan& plan) const {
    return options_.forced_width != 0 || plan.vector_cost + loop.sums * plan.width <= kMargin * plan.scalar_cost;
  }

  Options options_;
  Analyses analyses_;
  llvm::Function* copy_ = nullptr;
  std::vector<IterationLoop> loops_;
};

/// Its own vectors do what lanes would, and take long to take apart.
bool has_many_vectors(llvm::Function& function, const Options& options) {
  const llvm::DominatorTree dominators(function);
  return find_source_vectors(function, llvm::LoopInfo(dominators), options.isa.vector_bytes()).many;
}

}  // namespace

std::vector<Decision> vectorise_iterations(llvm::Function& function, llvm::TargetMachine& machine,
                                           const Options& options) {
  if (options.iteration_lanes == 1 && has_many_vectors(function, options)) return {};
  std::vector<bool> pay;
  {
    Attempt all(function, machine, options, [](unsigned) { return true; });
    pay = all.paying();
    if (llvm::none_of(pay, [](bool p) { return p; })) return {};
    if (llvm::all_of(pay, [](bool p) { return p; })) return all.put_into(function);
  }
  return Attempt(function, machine, options, [&](unsigned k) { return k < pay.size() && pay[k]; }).put_into(function);
}

}  // namespace lanewise::spmd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spmd/spmd.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/analyses.h"
#include "compiler/spmd/analysis/legality.h"
#include "compiler/spmd/analysis/normalise.h"
#include "compiler/spmd/emit/item_loop.h"
#include "compiler/spmd/emit/register_blocking.h"
#include "compiler/spmd/emit/sub_group_loop.h"
#include "compiler/spmd/plan/cost.h"
#include "compiler/spmd/plan/report.h"

namespace lanewise::spmd {
namespace {

using llvm::Instruction;

/// Private variables of all lanes together; threads' stacks are of unknown size.
constexpr std::uint64_t kMostPrivateBytes = std::uint64_t{32} * 1024;
/// Loops of the source work on wide vectors.
bool carries_vectors(const llvm::Function& function) {
  constexpr unsigned kWide = 4;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::PHINode& phi : block.phis())
      if (const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(phi.getType()); type != nullptr)
        if (type->getNumElements() >= kWide) return true;
  return false;
}

/// The first vector is at local id 0: no guard is a lower bound of the local id.
bool begins_at_multiples(const Guards& guards, const Shapes& shapes) {
  return llvm::all_of(guards.conditions, [&](const Condition& c) { return shapes.of(*c.value).is_uniform(); });
}

class Vectoriser {
 public:
  Vectoriser(llvm::Function& function, llvm::TargetMachine& machine, const Options& options)
      : function_(function), options_(options), analyses_(&machine) {}

  std::vector<Decision> run() {
    carries_vectors_ = carries_vectors(function_);
    normalise(function_, analyses_.functions);
    auto& loops = analyses_.functions.getResult<llvm::LoopAnalysis>(function_);
    const auto& target = analyses_.functions.getResult<llvm::TargetIRAnalysis>(function_);
    std::vector<Decision> decisions;
    llvm::SmallVector<llvm::Loop*> items;
    for (llvm::Loop* loop : loops.getLoopsInPreorder())
      if (items_metadata(*loop) != nullptr) items.push_back(loop);
    carries_vectors_ = carries_vectors_ && items.size() == 1;
    for (llvm::Loop* loop : items) {
      decisions.emplace_back();
      decisions.back().loop = loop->getHeader()->getName().str();
      vectorise(*loop, loops, target, decisions.back());
    }
    for (const BlockedLoop& blocked : block_registers(function_, options_.isa))
      for (Decision& d : decisions)
        if (blocked.loop == d.loop + ".vector") {
          d.rows = blocked.blocking.rows;
          d.columns = blocked.blocking.columns;
        }
    return decisions;
  }

 private:
  void vectorise(llvm::Loop& loop, const llvm::LoopInfo& loops, const llvm::TargetTransformInfo& target,
                 Decision& decision) {
    const llvm::MDNode* metadata = items_metadata(loop);
    if (metadata->getNumOperands() > 1) {
      decision.reason = llvm::cast<llvm::MDString>(metadata->getOperand(1))->getString().str();
      return;
    }
    ItemLoop items;
    items.loop = &loop;
    if (options_.explain) decision.line = first_line(loop);
    const SubGroupLoop form = sub_group_loop(loop);
    if (const Refusal r = check_loop(loop, form.width != 0)) return refuse(decision, r);
    if (const Refusal r = find_count(items)) return refuse(decision, r);
    Body body;
    if (const Refusal r = body.build(loop, loops)) return refuse(decision, r);
    Shapes whole = find_shapes(body, *items.id, {.known_bases_only = form.width != 0});
    if (form.width != 0) {
      if (whole.divergence().diverges(body.top())) return refuse(decision, {Reason::items_diverge});
      emit_sub_group_loop(loop, *items.size, form, {body, whole, *items.id, form.width, target}, sub_group_storage_);
      decision.width = form.width;
      return;
    }
    if (const Refusal r = check_divergence(body, whole.divergence())) return refuse(decision, r);
    const Guards guards = find_guards(body, whole, *items.id);
    // The guards were chosen with shapes that hold for all of the loop; from here on for a vector.
    const bool by_width = whole.takes_bits_of_ids() && begins_at_multiples(guards, whole);
    const auto shapes_at = [&](unsigned width, bool full_vectors) {
      return find_shapes(body, *items.id,
                         {.width = width, .passed = full_vectors ? guards.passed : llvm::SmallVector<Guard, 2>()});
    };
    const unsigned usual = options_.forced_width != 0 ? options_.forced_width : options_.isa.usual_lanes();
    // Full vectors are of work-items that pass the guards.
    Shapes inner = shapes_at(by_width ? usual : 0, true);
    if (by_width) whole = shapes_at(usual, false);
    const auto* fixed = llvm::dyn_cast<llvm::ConstantInt>(items.size);
    const Choice choice =
        choose_width(body, inner, options_.isa, options_.forced_width, fixed != nullptr ? fixed->getZExtValue() : 64);
    if (choice.width > usual && by_width) {
      whole = shapes_at(choice.width, false);
      inner = shapes_at(choice.width, true);
    }
    decision.reason = choice.reason;
    if (choice.width == 0) return;
    if (carries_vectors_ && options_.forced_width == 0 && would_spill(body, inner, choice.width, options_.isa)) {
      decision.reason = "its own vectors fit the registers, those of all lanes do not";
      return;
    }
    if (private_bytes(loop) * choice.width > kMostPrivateBytes) {
      decision.reason = "large private arrays";
      return;
    }
    if (options_.explain) {
      decision.accesses = describe_accesses(body, inner);
      decision.cost = choice.vector_cost / choice.scalar_cost;
    }
    const bool masked = options_.masked_tail || options_.forced_width != 0;
    Tail tail = masked ? Tail::masked : choose_tail(body, inner, choice, target);
    if (options_.quick && suits_one_form(body, whole, tail, options_.isa)) tail = Tail::none;
    emit_item_loop(items,
                   {.inner = {body, inner},
                    .whole = {body, whole},
                    .guards = guards,
                    .width = choice.width,
                    .tail = tail,
                    .isa = options_.isa},
                   target);
    decision.width = choice.width;
    decision.masked_tail = tail == Tail::masked;
    decision.one_form = tail == Tail::none;
  }

  static void refuse(Decision& decision, const Refusal& refusal) { decision.reason = refusal.text(); }

  llvm::Function& function_;
  bool carries_vectors_ = false;  ///< the scalar form has vectors in registers
  const Options& options_;
  LaneStorage sub_group_storage_;
  Analyses analyses_;
};

/// Every use of a work-item's own variable is in some work-item loop, where it can be given lanes.
bool private_variables_are_local(llvm::Function& function, const llvm::LoopInfo& loops) {
  for (Instruction& i : function.getEntryBlock()) {
    if (Shapes::private_variable(i) == nullptr) continue;
    for (const llvm::User* user : i.users()) {
      const llvm::Loop* loop = loops.getLoopFor(llvm::cast<Instruction>(user)->getParent());
      while (loop != nullptr && items_metadata(*loop) == nullptr) loop = loop->getParentLoop();
      if (loop == nullptr) return false;
    }
  }
  return true;
}

void take_body(llvm::Function& to, llvm::Function& from) {
  to.deleteBody();
  to.splice(to.begin(), &from);
  to.setLinkage(llvm::GlobalValue::ExternalLinkage);
  for (llvm::Argument& argument : from.args()) {
    argument.replaceAllUsesWith(to.getArg(argument.getArgNo()));
    to.getArg(argument.getArgNo())->takeName(&argument);
  }
}

}  // namespace

std::vector<Decision> vectorise(llvm::Function& function, llvm::TargetMachine& machine, const Options& options) {
  // On a copy: a function in which nothing is vectorised keeps the form it had.
  llvm::ValueToValueMapTy map;
  llvm::Function* copy = llvm::CloneFunction(&function, map);
  std::vector<Decision> decisions;
  {
    llvm::DominatorTree dominators(*copy);
    llvm::LoopInfo loops(dominators);
    if (private_variables_are_local(*copy, loops))
      decisions = Vectoriser(*copy, machine, options).run();
    else
      decisions.push_back({.loop = "", .reason = "a private variable is used between work-item loops"});
  }
  // Scalar loops that nothing is left for.
  llvm::removeUnreachableBlocks(*copy);
  bool any = false;
  for (const Decision& d : decisions) any |= d.width > 1;
  if (any && llvm::verifyFunction(*copy)) {
    any = false;
    for (Decision& d : decisions) d = {.loop = d.loop, .reason = "internal: the vector form is not valid"};
  }
  if (any) {
    // The copy has a subprogram of its own, which its locations refer to.
    llvm::DISubprogram* subprogram = copy->getSubprogram();
    copy->setSubprogram(nullptr);
    const auto linkage = function.getLinkage();
    take_body(function, *copy);
    function.setLinkage(linkage);
    function.setSubprogram(subprogram);
  }
  copy->eraseFromParent();
  return decisions;
}

std::vector<abi::LoopReport> report(const std::string& kernel, const std::vector<Decision>& decisions) {
  std::vector<abi::LoopReport> loops;
  for (const Decision& d : decisions)
    loops.push_back({.kernel = kernel,
                     .loop = d.loop,
                     .width = d.width,
                     .tail = d.masked_tail ? abi::TailForm::masked
                             : d.one_form  ? abi::TailForm::all_masked
                                           : abi::TailForm::scalar,
                     .reason = d.reason,
                     .rows = d.rows,
                     .columns = d.columns,
                     .line = d.line,
                     .cost = d.cost,
                     .accesses = d.accesses});
  return loops;
}

}  // namespace lanewise::spmd

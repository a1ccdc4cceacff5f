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

#include <cmath>

#include "compiler/analyses.h"
#include "compiler/spmd/cost.h"
#include "compiler/spmd/item_loop.h"
#include "compiler/spmd/legality.h"
#include "compiler/spmd/normalise.h"
#include "compiler/spmd/register_blocking.h"
#include "compiler/spmd/report.h"
#include "compiler/spmd/sub_groups.h"

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

/// Work-items of 32-bit elements in a register.
unsigned usual_width(unsigned isa_level) {
  return isa_level >= 4 ? 16 : isa_level == 3 ? 8 : 4;
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
    for (const BlockedLoop& blocked : block_registers(function_, options_.isa_level))
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
    if (decision.reason = check_loop(loop, form.width != 0); !decision.reason.empty()) return;
    if (decision.reason = find_count(items); !decision.reason.empty()) return;
    Body whole_body;
    if (decision.reason = whole_body.build(loop, loops); !decision.reason.empty()) return;
    Shapes whole(whole_body, *items.id, form.width != 0);
    whole.run();
    if (form.width != 0) {
      if (whole_body.top().divergent) {
        decision.reason = "the work-item loop itself diverges";
        return;
      }
      emit_sub_group_loop(loop, *items.id, *items.size, form, whole_body, whole, target, sub_group_storage_);
      decision.width = form.width;
      return;
    }
    if (decision.reason = check_shapes(whole_body, whole); !decision.reason.empty()) return;
    const Guards guards = find_guards(whole_body, whole, *items.id);
    // Full vectors are of work-items that pass the guards.
    Body inner_body;
    if (decision.reason = inner_body.build(loop, loops); !decision.reason.empty()) return;
    Shapes inner(inner_body, *items.id);
    for (const Guard& guard : guards.passed) inner.set_passed(*guard.block, guard.in);
    // The guards were chosen with shapes that hold for all of the loop; from here on for a vector.
    const bool by_width = whole.takes_bits_of_ids() && begins_at_multiples(guards, whole);
    const auto shape_for = [&](unsigned width) {
      for (Shapes* shapes : {&whole, &inner}) {
        shapes->set_vectors(width);
        shapes->run();
      }
    };
    const unsigned usual = options_.forced_width != 0 ? options_.forced_width : usual_width(options_.isa_level);
    if (by_width)
      shape_for(usual);
    else
      inner.run();
    const auto* fixed = llvm::dyn_cast<llvm::ConstantInt>(items.size);
    const Choice choice = choose_width(inner_body, inner, options_.isa_level, options_.forced_width,
                                       fixed != nullptr ? fixed->getZExtValue() : 64);
    if (choice.width > usual && by_width) shape_for(choice.width);
    decision.reason = choice.reason;
    if (choice.width == 0) return;
    if (carries_vectors_ && options_.forced_width == 0 &&
        would_spill(inner_body, inner, choice.width, options_.isa_level)) {
      decision.reason = "its own vectors fit the registers, those of all lanes do not";
      return;
    }
    if (private_bytes(loop) * choice.width > kMostPrivateBytes) {
      decision.reason = "large private arrays";
      return;
    }
    if (options_.explain) {
      decision.accesses = describe_accesses(inner_body, inner);
      decision.cost = choice.vector_cost / choice.scalar_cost;
    }
    const bool masked = options_.masked_tail || options_.forced_width != 0;
    Tail tail = masked ? Tail::masked : choose_tail(inner_body, inner, choice, target);
    if (options_.quick && suits_one_form(whole_body, whole, tail, options_.isa_level)) tail = Tail::none;
    emit_item_loop(items,
                   {.inner = {inner_body, inner},
                    .whole = {whole_body, whole},
                    .guards = guards,
                    .width = choice.width,
                    .tail = tail,
                    .isa_level = options_.isa_level},
                   target);
    decision.width = choice.width;
    decision.masked_tail = tail == Tail::masked;
    decision.one_form = tail == Tail::none;
  }

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

std::string describe(const std::string& kernel, const std::vector<Decision>& decisions) {
  std::string text;
  for (const Decision& d : decisions) {
    text += "vectorise: " + kernel + (d.loop.empty() ? "" : " " + d.loop) + ": ";
    text += d.width > 1 ? "width " + std::to_string(d.width) +
                              (d.masked_tail ? ", masked tail"
                               : d.one_form  ? ", all masked"
                                             : "")
                        : "scalar, " + d.reason;
    if (d.rows * d.columns > 1)
      text += ", blocks of " + std::to_string(d.rows) + " x " + std::to_string(d.columns) + " vectors";
    if (d.line != 0) text += ", from line " + std::to_string(d.line);
    if (d.cost > 0) text += ", estimated at " + std::to_string(std::lround(100 * d.cost)) + "% of the scalar cost";
    text += '\n';
    for (const std::string& access : d.accesses) text += "vectorise: " + kernel + "   " + access + '\n';
  }
  return text;
}

}  // namespace lanewise::spmd

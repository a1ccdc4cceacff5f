// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/shared_calls.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/SmallBitVector.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include "compiler/base/marks.h"

namespace lanewise {
namespace {

using llvm::BasicBlock;
using llvm::CallInst;
using llvm::Function;
using llvm::Instruction;
using Calls = llvm::SmallVector<CallInst*>;
using Functions = llvm::SmallVector<Function*>;

bool is_inlined(const Function& function) {
  return !function.isDeclaration() && function.hasFnAttribute(llvm::Attribute::AlwaysInline);
}

Functions callers_first(llvm::Module& module) {
  llvm::CallGraph graph(module);
  Functions order;
  for (auto scc = llvm::scc_begin(&graph); !scc.isAtEnd(); ++scc) {
    Function* function = scc->front()->getFunction();
    if (function != nullptr && !function->isDeclaration()) order.push_back(function);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

Calls calls_of(const Function& callee, Function& caller) {
  Calls calls;
  for (Instruction& i : llvm::instructions(caller)) {
    auto* call = llvm::dyn_cast<CallInst>(&i);
    if (call != nullptr && call->getCalledFunction() == &callee) calls.push_back(call);
  }
  return calls;
}

bool calls_any_of(const llvm::DenseSet<const Function*>& callees, const Function& caller) {
  return llvm::any_of(llvm::instructions(caller), [&](const Instruction& i) {
    const auto* call = llvm::dyn_cast<CallInst>(&i);
    return call != nullptr && callees.contains(call->getCalledFunction());
  });
}

/// The attributes that hold for every call: those of one call about its operands do not hold for the others.
llvm::AttributeList common_attributes(const Calls& calls) {
  llvm::AttributeList common = calls.front()->getAttributes();
  for (const CallInst* call : llvm::drop_begin(calls)) {
    const auto both = common.intersectWith(call->getContext(), call->getAttributes());
    if (!both) return calls.front()->getCalledFunction()->getAttributes();
    common = *both;
  }
  return common;
}

llvm::DebugLoc common_location(const Calls& calls) {
  llvm::DebugLoc common = calls.front()->getDebugLoc();
  for (const CallInst* call : llvm::drop_begin(calls))
    common = llvm::DebugLoc::getMergedLocation(common, call->getDebugLoc());
  llvm::DISubprogram* subprogram = calls.front()->getFunction()->getSubprogram();
  if (!common && subprogram != nullptr) common = llvm::DILocation::get(subprogram->getContext(), 0, 0, subprogram);
  return common;
}

/// An argument or constant that all calls pass; null: they differ.
llvm::Value* common_operand(const Calls& calls, unsigned k) {
  llvm::Value* operand = calls.front()->getArgOperand(k);
  if (!llvm::isa<llvm::Constant, llvm::Argument>(operand)) return nullptr;
  return llvm::all_of(calls, [&](const CallInst* call) { return call->getArgOperand(k) == operand; }) ? operand
                                                                                                      : nullptr;
}

/// A call, at the end of a block of its own.
struct Site {
  CallInst* call;
  BasicBlock* before;  ///< ends with the call
  BasicBlock* after;   ///< begins with a phi for the result
};
using Sites = llvm::SmallVector<Site>;

Sites split_after(const Calls& calls) {
  Sites sites;
  for (CallInst* call : calls) {
    BasicBlock* before = call->getParent();
    BasicBlock* after = llvm::SplitBlock(before, std::next(call->getIterator()));
    after->setName(call->getCalledFunction()->getName() + ".return");
    if (!call->getType()->isVoidTy()) {
      auto* result = llvm::PHINode::Create(call->getType(), 1, call->getName(), after->begin());
      call->replaceAllUsesWith(result);
      result->addIncoming(call, before);
    }
    sites.push_back({call, before, after});
  }
  return sites;
}

/// The block in which, or at whose end, the use needs its value.
BasicBlock* user_block(const llvm::Use& use) {
  auto* user = llvm::cast<Instruction>(use.getUser());
  auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
  return phi != nullptr ? phi->getIncomingBlock(use) : user->getParent();
}

/// A value and the sites that it lives across: code after them uses it.
struct CrossingValue {
  Instruction* value;
  llvm::SmallBitVector sites;
};

/// Values that live across calls. A value that is made on each way to a call is none: it dominates the merged call, and
/// its uses after that.
class CrossingValues {
 public:
  CrossingValues(const Sites& sites, Function& function) : sites_(sites) {
    for (const auto& [number, site] : llvm::enumerate(sites)) after_[site.after] = static_cast<unsigned>(number);
    llvm::DominatorTree dominators(function);
    BasicBlock* common = sites.front().before;
    for (const Site& site : sites) common = dominators.findNearestCommonDominator(common, site.before);
    for (BasicBlock& block : function) {
      if (dominators.dominates(&block, common)) continue;
      for (Instruction& i : block)
        if (!i.use_empty()) add(i);
    }
  }

  [[nodiscard]] llvm::ArrayRef<CrossingValue> all() const { return values_; }

 private:
  /// Goes back from the uses to the value, over each block at whose begin it lives.
  void add(Instruction& value) {
    llvm::SmallBitVector crossed(static_cast<unsigned>(sites_.size()));
    llvm::SmallVector<BasicBlock*> open;
    llvm::SmallPtrSet<BasicBlock*, 16> seen{value.getParent()};
    const auto enter = [&](BasicBlock* block) {
      if (seen.insert(block).second) open.push_back(block);
    };
    for (const llvm::Use& use : value.uses()) enter(user_block(use));
    while (!open.empty()) {
      BasicBlock* block = open.pop_back_val();
      if (const auto after = after_.find(block); after != after_.end()) crossed.set(after->second);
      for (BasicBlock* previous : llvm::predecessors(block)) enter(previous);
    }
    if (crossed.any()) values_.push_back({&value, crossed});
  }

  const Sites& sites_;
  llvm::DenseMap<const BasicBlock*, unsigned> after_;
  std::vector<CrossingValue> values_;
};

/// The one call that takes the place of all: a block of phis before it, a switch over the number of the call after it.
class SharedCall {
 public:
  SharedCall(const Sites& sites, Function& caller) : sites_(sites) {
    Function& callee = *sites.front().call->getCalledFunction();
    body_ = BasicBlock::Create(caller.getContext(), callee.getName() + ".shared", &caller);
    end_ = BasicBlock::Create(caller.getContext(), callee.getName() + ".end", &caller);
  }

  /// Keeps the value across the call, in a phi that values of other sites share: a body has as many phis as values
  /// live across one call, not as many as across all.
  void keep(const CrossingValue& crossing) {
    llvm::PHINode* phi = phi_for(crossing);
    Instruction& value = *crossing.value;
    llvm::SmallVector<llvm::Use*> uses;
    for (llvm::Use& use : value.uses())
      if (user_block(use) != value.getParent()) uses.push_back(&use);
    llvm::SSAUpdater updater;
    updater.Initialize(value.getType(), value.getName());
    updater.AddAvailableValue(value.getParent(), &value);
    for (const unsigned site : crossing.sites.set_bits()) updater.AddAvailableValue(sites_[site].after, phi);
    for (llvm::Use* use : uses) use->set(updater.GetValueAtEndOfBlock(user_block(*use)));
    for (const unsigned site : crossing.sites.set_bits())
      phi->setIncomingValue(site, updater.GetValueAtEndOfBlock(sites_[site].before));
  }

  /// Replaces the calls.
  CallInst* finish() {
    CallInst* shared = make_call();
    llvm::IRBuilder<> b(end_);
    b.SetCurrentDebugLocation(shared->getDebugLoc());
    const auto count = static_cast<unsigned>(sites_.size());
    llvm::SwitchInst* back = b.CreateSwitch(number_, sites_.back().after, count - 1);
    for (unsigned k = count; k-- > 0;) {
      const Site& site = sites_[k];
      if (k + 1 < count) back->addCase(b.getInt32(k), site.after);
      site.before->getTerminator()->setSuccessor(0, body_);
      site.after->replacePhiUsesWith(site.before, end_);
      site.call->replaceAllUsesWith(shared);
    }
    for (const Site& site : sites_) site.call->eraseFromParent();
    return shared;
  }

 private:
  struct SharedPhi {
    llvm::PHINode* phi;
    llvm::SmallBitVector taken;  ///< sites whose value it has
  };

  /// A phi whose operands have no value yet.
  llvm::PHINode* make_phi(llvm::Type& type, const llvm::Twine& name) {
    auto* phi = llvm::PHINode::Create(&type, static_cast<unsigned>(sites_.size()), name, body_->begin());
    for (const Site& site : sites_) phi->addIncoming(llvm::PoisonValue::get(&type), site.before);
    return phi;
  }

  llvm::PHINode* phi_for(const CrossingValue& crossing) {
    auto& phis = phis_[crossing.value->getType()];
    auto found = llvm::find_if(phis, [&](const SharedPhi& p) { return !p.taken.anyCommon(crossing.sites); });
    if (found == phis.end()) {
      phis.push_back({make_phi(*crossing.value->getType(), crossing.value->getName()),
                      llvm::SmallBitVector(static_cast<unsigned>(sites_.size()))});
      found = std::prev(phis.end());
    }
    found->taken |= crossing.sites;
    return found->phi;
  }

  CallInst* make_call() {
    Calls calls;
    for (const Site& site : sites_) calls.push_back(site.call);
    Function& callee = *calls.front()->getCalledFunction();
    number_ = make_phi(*llvm::Type::getInt32Ty(callee.getContext()), "call");
    llvm::SmallVector<llvm::Value*> operands;
    for (const llvm::Argument& argument : callee.args()) {
      llvm::Value* common = common_operand(calls, argument.getArgNo());
      operands.push_back(common != nullptr ? common : make_phi(*argument.getType(), argument.getName()));
    }
    for (unsigned k = 0; k < calls.size(); ++k) {
      number_->setIncomingValue(k, llvm::ConstantInt::get(number_->getType(), k));
      for (auto [operand, own] : llvm::zip(operands, calls[k]->args()))
        if (auto* phi = llvm::dyn_cast<llvm::PHINode>(operand); phi != nullptr && phi->getParent() == body_)
          phi->setIncomingValue(k, own);
    }
    llvm::IRBuilder<> b(body_);
    b.SetCurrentDebugLocation(common_location(calls));
    CallInst* shared = b.CreateCall(&callee, operands);
    shared->setAttributes(common_attributes(calls));
    shared->setCallingConv(calls.front()->getCallingConv());
    b.CreateBr(end_);
    return shared;
  }

  const Sites& sites_;
  BasicBlock* body_;
  BasicBlock* end_;
  llvm::PHINode* number_ = nullptr;
  llvm::DenseMap<llvm::Type*, llvm::SmallVector<SharedPhi>> phis_;
};

/// Merges the calls into one.
CallInst* merge(const Calls& calls, Function& caller) {
  const Sites sites = split_after(calls);
  const CrossingValues crossing(sites, caller);
  SharedCall shared(sites, caller);
  for (const CrossingValue& value : crossing.all()) shared.keep(value);
  return shared.finish();
}

void inline_calls(Function& callee, Function& caller) {
  llvm::removeUnreachableBlocks(caller);
  Calls calls = calls_of(callee, caller);
  if (callee.hasFnAttribute(marks::kSharedFunction) && calls.size() > 1) {
    caller.addFnAttr(marks::kSharedBodies);
    calls = {merge(calls, caller)};
  }
  for (CallInst* call : calls) {
    llvm::InlineFunctionInfo info;
    (void)llvm::InlineFunction(*call, info);
  }
}

}  // namespace

llvm::PreservedAnalyses ShareCallsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  if (llvm::none_of(module, [](const Function& f) { return f.hasFnAttribute(marks::kSharedFunction); }))
    return llvm::PreservedAnalyses::all();
  const Functions order = callers_first(module);
  llvm::DenseSet<const Function*> leading;  // to a shared function
  for (Function* function : llvm::reverse(order))
    if (function->hasFnAttribute(marks::kSharedFunction) || calls_any_of(leading, *function)) leading.insert(function);
  for (Function* kernel : order) {
    if (is_inlined(*kernel) || !leading.contains(kernel)) continue;
    for (Function* callee : order)
      if (is_inlined(*callee) && leading.contains(callee)) inline_calls(*callee, *kernel);
  }
  // From here on the shared functions must not be inlined into each other.
  for (Function* function : order)
    if (is_inlined(*function) && leading.contains(function) && function->use_empty()) function->eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

}  // namespace lanewise

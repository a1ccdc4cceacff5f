// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/shared_calls.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

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

/// Calls that were merged into one.
struct Merged {
  CallInst* call = nullptr;
  /// The code after each call, in this order, if they were in one block; else empty.
  llvm::SmallVector<BasicBlock*> pieces;
};

/// Merges the calls into one. The code after each of them is reached through the switch after the merged call.
Merged merge(const Calls& calls, Function& caller) {
  Function& callee = *calls.front()->getCalledFunction();
  const llvm::AttributeList attributes = common_attributes(calls);
  const llvm::DebugLoc location = common_location(calls);
  const auto convention = calls.front()->getCallingConv();
  const auto count = static_cast<unsigned>(calls.size());
  BasicBlock* body = BasicBlock::Create(caller.getContext(), callee.getName() + ".shared", &caller);
  llvm::IRBuilder<> b(body);
  llvm::SmallVector<llvm::PHINode*> parameters;
  llvm::SmallVector<llvm::Value*> operands;
  for (const llvm::Argument& argument : callee.args()) {
    llvm::Value* common = common_operand(calls, argument.getArgNo());
    parameters.push_back(common != nullptr ? nullptr : b.CreatePHI(argument.getType(), count, argument.getName()));
    operands.push_back(common != nullptr ? common : parameters.back());
  }
  llvm::PHINode* number = b.CreatePHI(b.getInt32Ty(), count, "call");
  b.SetCurrentDebugLocation(location);
  CallInst* shared = b.CreateCall(&callee, operands);
  shared->setAttributes(attributes);
  shared->setCallingConv(convention);
  BasicBlock* end = BasicBlock::Create(caller.getContext(), callee.getName() + ".end", &caller);
  b.CreateBr(end);
  b.SetInsertPoint(end);
  llvm::SwitchInst* back = nullptr;
  Merged merged{.call = shared, .pieces = {}};
  const bool in_one_block =
      llvm::all_of(calls, [&](const CallInst* call) { return call->getParent() == calls.front()->getParent(); });
  for (unsigned k = count; k-- > 0;) {
    CallInst* call = calls[k];
    BasicBlock* before = call->getParent();
    BasicBlock* after = llvm::SplitBlock(before, std::next(call->getIterator()));
    after->setName(callee.getName() + ".return");
    before->getTerminator()->setSuccessor(0, body);
    if (back == nullptr)
      back = b.CreateSwitch(number, after, count - 1);
    else
      back->addCase(b.getInt32(k), after);
    for (auto [parameter, operand] : llvm::zip(parameters, call->args()))
      if (parameter != nullptr) parameter->addIncoming(operand, before);
    if (in_one_block) merged.pieces.push_back(after);
    number->addIncoming(b.getInt32(k), before);
    // A copy: the body may run again before this result is used.
    if (!call->getType()->isVoidTy()) {
      auto* result = llvm::PHINode::Create(call->getType(), 1, call->getName(), after->begin());
      result->addIncoming(shared, end);
      call->replaceAllUsesWith(result);
    }
  }
  for (CallInst* call : calls) call->eraseFromParent();
  std::reverse(merged.pieces.begin(), merged.pieces.end());
  return merged;
}

/// Places for values between pieces of code that run one after the other. A value is stored at the end of its piece and
/// loaded at the beginning of each later one that uses it; its place is free from the last of these on, so that a sum
/// that goes through all pieces needs one.
class Places {
 public:
  Places(llvm::ArrayRef<BasicBlock*> pieces, BasicBlock& entry) : pieces_(pieces), entry_(entry) {
    for (const auto& [number, piece] : llvm::enumerate(pieces)) numbers_[piece] = static_cast<unsigned>(number);
  }

  [[nodiscard]] bool keeps(const Instruction& value) const { return numbers_.contains(value.getParent()); }

  /// Values must come in their order in the program.
  void keep(Instruction& value) {
    const unsigned made = numbers_.lookup(value.getParent());
    llvm::DenseMap<unsigned, llvm::SmallVector<llvm::Use*>> uses;
    unsigned last = made;
    for (llvm::Use& use : value.uses()) {
      const unsigned piece = piece_of(use);
      if (piece == made) continue;
      uses[piece].push_back(&use);
      last = std::max(last, piece);
    }
    llvm::AllocaInst* place = free_place(*value.getType(), made, last);
    new llvm::StoreInst(&value, place, value.getParent()->getTerminator()->getIterator());
    for (const auto& [piece, there] : uses) {
      auto* loaded = new llvm::LoadInst(value.getType(), place, value.getName(), pieces_[piece]->getFirstInsertionPt());
      for (llvm::Use* use : there) use->set(loaded);
    }
  }

  [[nodiscard]] std::vector<llvm::AllocaInst*> all() const {
    std::vector<llvm::AllocaInst*> places;
    for (const SharedVariable& place : places_) places.push_back(place.place);
    return places;
  }

 private:
  struct SharedVariable {
    llvm::AllocaInst* place;
    unsigned until;  ///< the piece that loads it last
  };

  /// What is used after all pieces is used in the last one.
  [[nodiscard]] unsigned piece_of(const llvm::Use& use) const {
    const auto* user = llvm::cast<Instruction>(use.getUser());
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    const auto known = numbers_.find(phi != nullptr ? phi->getIncomingBlock(use) : user->getParent());
    return known != numbers_.end() ? known->second : static_cast<unsigned>(pieces_.size()) - 1;
  }

  llvm::AllocaInst* free_place(llvm::Type& type, unsigned from, unsigned until) {
    for (SharedVariable& p : places_)
      if (p.until <= from && p.place->getAllocatedType() == &type) {
        p.until = until;
        return p.place;
      }
    llvm::IRBuilder<> b(&entry_, entry_.getFirstInsertionPt());
    places_.push_back({b.CreateAlloca(&type), until});
    return places_.back().place;
  }

  llvm::ArrayRef<BasicBlock*> pieces_;
  BasicBlock& entry_;
  llvm::DenseMap<const BasicBlock*, unsigned> numbers_;
  llvm::SmallVector<SharedVariable> places_;
};

/// Phis for values whose definition no longer dominates all uses.
void repair_values(Function& function, llvm::ArrayRef<BasicBlock*> pieces) {
  llvm::DominatorTree dominators(function);
  llvm::SmallVector<Instruction*> broken;
  for (Instruction& i : llvm::instructions(function))
    if (llvm::any_of(i.uses(), [&](const llvm::Use& use) { return !dominators.dominates(&i, use); }))
      broken.push_back(&i);
  Places shared(pieces, function.getEntryBlock());
  for (BasicBlock* piece : pieces)
    for (Instruction* value : broken)
      if (value->getParent() == piece) shared.keep(*value);
  std::vector<llvm::AllocaInst*> places = shared.all();
  const auto front = function.getEntryBlock().getFirstInsertionPt();
  for (Instruction* value : broken) {
    llvm::AllocaInst* place = shared.keeps(*value) ? nullptr : llvm::DemoteRegToStack(*value, false, front);
    if (place != nullptr) places.push_back(place);
  }
  llvm::PromoteMemToReg(places, dominators);
}

void inline_calls(Function& callee, Function& caller) {
  Calls calls = calls_of(callee, caller);
  if (callee.hasFnAttribute(marks::kSharedFunction) && calls.size() > 1) {
    caller.addFnAttr(marks::kSharedBodies);
    const Merged merged = merge(calls, caller);
    repair_values(caller, merged.pieces);
    calls = {merged.call};
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

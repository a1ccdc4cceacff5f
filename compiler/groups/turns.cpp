// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/turns.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/base/address_spaces.h"
#include "compiler/base/context.h"
#include "compiler/base/irreducible_loops.h"
#include "compiler/builtins/known_functions.h"
#include "compiler/kernel/group_waits.h"

namespace lanewise {
namespace {

using llvm::BasicBlock;
using llvm::IRBuilder;

constexpr llvm::StringRef kTurn = "lanewise.turn";
/// Rounds of a loop from one turn to the next: most locks are free after fewer, and a turn costs as much as a few.
constexpr unsigned kRounds = 64;

bool has_barrier_in(const BasicBlock& block) {
  return llvm::any_of(block, [](const llvm::Instruction& i) { return is_barrier(i); });
}

/// Whether a round of the loop may come by without a barrier. At a barrier the others go on anyway.
bool spins(BasicBlock& header) {
  llvm::SmallVector<const BasicBlock*> work{&header};
  llvm::SmallPtrSet<const BasicBlock*, 16> seen;
  while (!work.empty()) {
    const BasicBlock* block = work.pop_back_val();
    if (has_barrier_in(*block)) continue;
    for (const BasicBlock* next : llvm::successors(block)) {
      if (next == &header) return true;
      if (seen.insert(next).second) work.push_back(next);
    }
  }
  return false;
}

bool is_private(const llvm::Value& pointer) {
  return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer));
}

/// Whether only the turns of others can end the loop: it looks at local memory, which belongs to the group, and writes
/// nothing that anyone sees.
bool waits_for_turns(const llvm::Loop& loop) {
  bool looks = false;
  for (const BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& i : *block) {
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
      const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
      if (load != nullptr) {
        const unsigned space = load->getPointerAddressSpace();
        if (space != local_space && space != constant_space && !is_private(*load->getPointerOperand())) return false;
        looks |= space == local_space;
      } else if (callee != nullptr) {
        if (call->mayWriteToMemory() && !concerns_sub_groups(known_function(*callee))) return false;
      } else if (store != nullptr ? !is_private(*store->getPointerOperand())
                                  : i.mayWriteToMemory() && !llvm::isa<llvm::FenceInst>(i)) {
        return false;
      }
    }
  return looks;
}

/// A turn in each round. No way through the loop leaves it out, so the code before it and behind it are apart, and not
/// part of the regions of each other.
void add_turn_in_each_round(BasicBlock& header) {
  IRBuilder<> b(&header, header.getFirstInsertionPt());
  create_turn(b, *header.getModule());
}

void add_turn(BasicBlock& header) {
  llvm::Function& function = *header.getParent();
  llvm::Module& module = *function.getParent();
  const llvm::DominatorTree tree(function);
  IRBuilder<> b(&header, header.begin());
  llvm::PHINode* round = b.CreatePHI(b.getInt32Ty(), llvm::pred_size(&header), "round");
  b.SetInsertPoint(&header, header.getFirstNonPHIIt());
  llvm::Value* next = b.CreateAdd(round, b.getInt32(1), "next.round");
  llvm::Value* due = b.CreateIsNull(b.CreateAnd(next, b.getInt32(kRounds - 1)), "turn.due");
  for (BasicBlock* from : llvm::predecessors(&header))
    round->addIncoming(tree.dominates(&header, from) ? next : b.getInt32(0), from);
  llvm::MDNode* seldom = llvm::MDBuilder(module.getContext()).createBranchWeights(1, kRounds - 1);
  b.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(due, b.GetInsertPoint(), /*Unreachable=*/false, seldom));
  b.GetInsertBlock()->setName("turn");
  create_turn(b, module);
}

/// Gives loops with several entries a header, at which the entries and the ends of rounds meet. Returns whether there
/// were such loops.
bool add_headers(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses) {
  if (!may_wait_without_header(kernel)) return false;
  add_loop_headers(kernel, analyses);
  return true;
}

bool add_turns(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses) {
  bool changed = add_headers(kernel, analyses);
  llvm::SmallVector<BasicBlock*> in_each_round;
  llvm::SmallVector<BasicBlock*> in_some;
  {
    const llvm::LoopInfo loops{llvm::DominatorTree(kernel)};
    for (BasicBlock* header : headers_of_waiting_loops(kernel))
      if (spins(*header)) (waits_for_turns(*loops.getLoopFor(header)) ? in_each_round : in_some).push_back(header);
  }
  for (BasicBlock* header : in_each_round) add_turn_in_each_round(*header);
  for (BasicBlock* header : in_some) add_turn(*header);
  return changed || !in_each_round.empty() || !in_some.empty();
}

}  // namespace

bool is_turn(const llvm::Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && callee->isDeclaration() && callee->getName() == kTurn;
}

bool has_turn(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), is_turn);
}

bool drop_turns(llvm::Function& function) {
  bool changed = false;
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!is_turn(i)) continue;
    i.eraseFromParent();
    changed = true;
  }
  return changed;
}

void create_turn(llvm::IRBuilderBase& b, llvm::Module& module) {
  auto* turn = llvm::cast<llvm::Function>(
      module.getOrInsertFunction(kTurn, llvm::FunctionType::get(b.getVoidTy(), false)).getCallee());
  turn->setConvergent();
  turn->setDoesNotThrow();
  b.CreateCall(turn);
}

llvm::PreservedAnalyses TakeTurnsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  bool changed = false;
  for (const abi::KernelInfo* info : context_of(module, analyses).kernels) {
    llvm::Function* kernel = module.getFunction(info->name);
    if (kernel != nullptr) changed |= add_turns(*kernel, function_analyses(module, analyses));
  }
  return unless_changed(changed);
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/gathered_turns.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "compiler/builtins/known_functions.h"
#include "compiler/builtins/sub_group_operations.h"
#include "compiler/groups/turns.h"
#include "compiler/groups/uniformity.h"

namespace lanewise {
namespace {

using llvm::AllocaInst;
using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;

/// Finds where all lanes of a sub-group come by together.
class MeetingPlaces {
 public:
  explicit MeetingPlaces(const WorkItemFunction& item)
      : function_(*item.function), uniformity_(item, Uniformity::Scope::sub_group) {
    post_dominators_.recalculate(function_);
  }

  /// The first such block on every way from `block`, maybe `block` itself; null if there is none before a barrier.
  BasicBlock* after(BasicBlock& block) {
    for (auto* node = post_dominators_.getNode(&block); node != nullptr && node->getBlock() != nullptr;
         node = node->getIDom())
      if (is_together(*node->getBlock()))
        return node->getBlock() == &block || no_barrier_between(block, *node->getBlock()) ? node->getBlock() : nullptr;
    return nullptr;
  }

 private:
  /// Whether no divergent branch decides whether lanes come to the block, and how often.
  bool is_together(const BasicBlock& block) {
    if (llvm::any_of(block, [](const Instruction& i) { return is_barrier(i); })) return true;
    llvm::SmallSetVector<const BasicBlock*, 16> decided;
    decided.insert(&block);
    for (unsigned k = 0; k < decided.size(); ++k)
      for (const BasicBlock& by : function_) {
        if (!decides(by, *decided[k])) continue;
        if (uniformity_.branch_diverges(by)) return false;
        decided.insert(&by);
      }
    return true;
  }

  /// `block` depends on the branch at the end of `by` (control dependence).
  [[nodiscard]] bool decides(const BasicBlock& by, const BasicBlock& block) const {
    if (by.getTerminator()->getNumSuccessors() < 2 || post_dominators_.properlyDominates(&block, &by)) return false;
    return llvm::any_of(llvm::successors(&by),
                        [&](const BasicBlock* next) { return post_dominators_.dominates(&block, next); });
  }

  static bool no_barrier_between(const BasicBlock& from, const BasicBlock& to) {
    llvm::SmallSetVector<const BasicBlock*, 16> between;
    between.insert(&from);
    for (unsigned k = 0; k < between.size(); ++k) {
      if (llvm::any_of(*between[k], [](const Instruction& i) { return is_barrier(i); })) return false;
      for (const BasicBlock* next : llvm::successors(between[k]))
        if (next != &to) between.insert(next);
    }
    return true;
  }

  llvm::Function& function_;
  Uniformity uniformity_;
  llvm::PostDominatorTree post_dominators_;
};

/// All values that cross blocks as variables, so that edges can change, until `promote`.
class ValuesInMemory {
 public:
  explicit ValuesInMemory(llvm::Function& function) : function_(function), entry_(function.getEntryBlock()) {
    llvm::SmallVector<Instruction*> escaping;
    llvm::SmallVector<llvm::PHINode*> phis;
    for (BasicBlock& block : function)
      for (Instruction& i : block) {
        if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&i)) phis.push_back(phi);
        if (!llvm::isa<AllocaInst>(i) && i.isUsedOutsideOfBlock(&block)) escaping.push_back(&i);
      }
    for (Instruction* i : escaping)
      if (AllocaInst* variable = llvm::DemoteRegToStack(*i, false, place())) variables_.push_back(variable);
    for (llvm::PHINode* phi : phis)
      if (AllocaInst* variable = llvm::DemotePHIToStack(phi, place())) variables_.push_back(variable);
  }

  AllocaInst* add(llvm::Type* type, const llvm::Twine& name) {
    variables_.push_back(IRBuilder<>(&entry_, entry_.begin()).CreateAlloca(type, nullptr, name));
    return variables_.back();
  }

  void promote() {
    llvm::DominatorTree tree(function_);
    llvm::PromoteMemToReg(variables_, tree);
  }

 private:
  [[nodiscard]] std::optional<BasicBlock::iterator> place() const { return entry_.begin(); }

  llvm::Function& function_;
  BasicBlock& entry_;
  llvm::SmallVector<AllocaInst*> variables_;
};

/// All lanes of the sub-group come to `meeting`. Those with a number in `at`, which is not 0, then go on there.
void meet(BasicBlock& meeting, AllocaInst& at, llvm::ArrayRef<BasicBlock*> resumed) {
  llvm::Module& module = *meeting.getModule();
  BasicBlock* rest = llvm::SplitBlock(&meeting, meeting.begin());
  rest->setName("turns.over");
  IRBuilder<> b(meeting.getTerminator());
  llvm::Value* any = any_of_sub_group(b, b.CreateIsNotNull(b.CreateLoad(b.getInt32Ty(), &at)));
  BasicBlock* turn = BasicBlock::Create(b.getContext(), "turn", meeting.getParent(), rest);
  constexpr unsigned kOften = 64;
  b.CreateCondBr(any, turn, rest, llvm::MDBuilder(b.getContext()).createBranchWeights(1, kOften));
  meeting.getTerminator()->eraseFromParent();
  b.SetInsertPoint(turn);
  create_turn(b, module);
  llvm::Value* number = b.CreateLoad(b.getInt32Ty(), &at);
  b.CreateStore(b.getInt32(0), &at);
  llvm::SwitchInst* go = b.CreateSwitch(number, &meeting, static_cast<unsigned>(resumed.size()));
  for (unsigned i = 0; i < resumed.size(); ++i) go->addCase(b.getInt32(i + 1), resumed[i]);
}

/// The work-item stops at the call, with `number` in `at`, and goes to where all meet. Returns where it goes on.
BasicBlock* leave_at(Instruction& call, AllocaInst& at, unsigned number, BasicBlock& meeting) {
  BasicBlock* before = call.getParent();
  BasicBlock* resumed = llvm::SplitBlock(before, call.getNextNode());
  resumed->setName("resumed");
  IRBuilder<> b(&call);
  b.CreateStore(b.getInt32(number), &at);
  b.CreateBr(&meeting);
  before->getTerminator()->eraseFromParent();
  call.eraseFromParent();
  return resumed;
}

}  // namespace

bool gather_turns(WorkItemFunction& item) {
  llvm::SmallVector<Instruction*> turns;
  for (Instruction& i : llvm::instructions(*item.function))
    if (is_turn(i)) turns.push_back(&i);
  if (turns.empty()) return false;
  bool all = true;
  llvm::MapVector<BasicBlock*, llvm::SmallVector<Instruction*>> moved;
  {
    MeetingPlaces places(item);
    for (Instruction* turn : turns) {
      BasicBlock* meeting = places.after(*turn->getParent());
      if (meeting == nullptr) {
        turn->eraseFromParent();
        all = false;
      } else if (meeting != turn->getParent()) {
        moved[meeting].push_back(turn);
      }
    }
  }
  if (moved.empty()) return all;
  ValuesInMemory values(*item.function);
  for (const auto& [meeting, calls] : moved) {
    AllocaInst* at = values.add(llvm::Type::getInt32Ty(item.function->getContext()), "at.turn");
    new llvm::StoreInst(llvm::ConstantInt::get(at->getAllocatedType(), 0), at,
                        item.function->getEntryBlock().getTerminator()->getIterator());
    llvm::SmallVector<BasicBlock*> resumed;
    for (Instruction* call : calls)
      resumed.push_back(leave_at(*call, *at, static_cast<unsigned>(resumed.size()) + 1, *meeting));
    meet(*meeting, *at, resumed);
  }
  values.promote();
  return all;
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/faults/large_switches.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "compiler/base/statistic.h"

namespace lanewise {
namespace {

using llvm::BasicBlock;

Statistic switches_split{"split-large-switches", "switches", "switches made trees"};

struct Case {
  llvm::ConstantInt* value;
  BasicBlock* target;
};

class Tree {
 public:
  explicit Tree(llvm::SwitchInst& old)
      : block_(*old.getParent()), old_(old), value_(*old.getCondition()), default_(*old.getDefaultDest()) {}

  void replace() {
    llvm::SmallVector<Case> cases;
    for (auto c : old_.cases()) cases.push_back({c.getCaseValue(), c.getCaseSuccessor()});
    llvm::sort(cases, [](const Case& a, const Case& b) { return a.value->getValue().ult(b.value->getValue()); });
    next_ = block_.getNextNode();
    build(&block_, cases);
    old_.eraseFromParent();
    for (const auto& [target, from] : edges_) redirect(*target, from);
  }

 private:
  /// Ends `block` with a switch over `cases`, or with a branch to two halves.
  void build(BasicBlock* block, llvm::ArrayRef<Case> cases) {
    llvm::IRBuilder<> b(block);
    b.SetCurrentDebugLocation(old_.getDebugLoc());
    if (cases.size() <= kCasesInSwitch) {
      auto* part = b.CreateSwitch(&value_, &default_, static_cast<unsigned>(cases.size()));
      edges_[&default_].push_back(block);
      for (const Case& c : cases) {
        part->addCase(c.value, c.target);
        edges_[c.target].push_back(block);
      }
      return;
    }
    const auto below = cases.take_front(cases.size() / 2);
    const auto above = cases.drop_front(below.size());
    BasicBlock* low = BasicBlock::Create(b.getContext(), "switch.below", block_.getParent(), next_);
    BasicBlock* high = BasicBlock::Create(b.getContext(), "switch.above", block_.getParent(), next_);
    b.CreateCondBr(b.CreateICmpULT(&value_, above.front().value), low, high);
    build(low, below);
    build(high, above);
  }

  /// The phis of `target` have one entry for each edge from the old switch, all with the same value.
  void redirect(BasicBlock& target, llvm::ArrayRef<BasicBlock*> from) const {
    for (llvm::PHINode& phi : target.phis()) {
      llvm::Value* value = nullptr;
      unsigned edge = 0;
      for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
        if (phi.getIncomingBlock(i) != &block_) continue;
        value = phi.getIncomingValue(i);
        phi.setIncomingBlock(i, from[edge++]);
      }
      for (; edge < from.size(); ++edge) phi.addIncoming(value, from[edge]);
    }
  }

  BasicBlock& block_;
  llvm::SwitchInst& old_;
  llvm::Value& value_;
  BasicBlock& default_;
  BasicBlock* next_ = nullptr;
  llvm::MapVector<BasicBlock*, llvm::SmallVector<BasicBlock*>> edges_;
};

bool split_large_switches(llvm::Module& module) {
  llvm::SmallVector<llvm::SwitchInst*> large;
  for (llvm::Function& function : module)
    for (BasicBlock& block : function)
      if (auto* s = llvm::dyn_cast_or_null<llvm::SwitchInst>(block.getTerminator());
          s && s->getNumCases() > kCasesInSwitch)
        large.push_back(s);
  for (llvm::SwitchInst* s : large) Tree(*s).replace();
  switches_split += large.size();
  return !large.empty();
}

}  // namespace

llvm::PreservedAnalyses SplitLargeSwitchesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  return unless_changed(split_large_switches(module));
}

}  // namespace lanewise

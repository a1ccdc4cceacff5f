// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectors/sums.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <map>
#include <utility>

namespace lanewise {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Cycles that an operation on vectors takes, about, on processors of today.
unsigned latency(const Instruction& i) {
  switch (i.getOpcode()) {
    case Instruction::Load:
      return 6;
    case Instruction::Mul:
      return 5;
    case Instruction::ShuffleVector:
    case Instruction::InsertElement:
    case Instruction::ExtractElement:
      return 3;
    case Instruction::BitCast:
    case Instruction::PHI:
      return 0;
    case Instruction::Call:
      return llvm::isa<llvm::IntrinsicInst>(i) ? 1 : 20;
    default:
      return i.getType()->isFPOrFPVectorTy() ? 4 : 1;
  }
}

/// Sums of a block that must gain for it to be worth the registers: rounds of a hash function have dozens.
constexpr std::size_t kFewest = 8;

/// When each value of a block is known, in cycles from the block's begin.
class Times {
 public:
  explicit Times(const llvm::BasicBlock& block) {
    for (const Instruction& i : block) note(i);
  }
  [[nodiscard]] unsigned of(const Value* value) const { return times_.lookup(value); }
  void note(const Instruction& i) {
    unsigned begin = 0;
    if (!llvm::isa<llvm::PHINode>(i))
      for (const Value* operand : i.operands()) begin = std::max(begin, of(operand));
    times_[&i] = begin + latency(i);
  }
  void forget(const Instruction& i) { times_.erase(&i); }

 private:
  llvm::DenseMap<const Value*, unsigned> times_;
};

bool is_sum(const Value* value) {
  const auto* i = llvm::dyn_cast<Instruction>(value);
  return i != nullptr && i->getOpcode() == Instruction::Add && i->getType()->isVectorTy();
}

/// A sum that is a term of another one in its block, and of nothing else.
bool is_inner(const Instruction& sum) {
  if (!sum.hasOneUse()) return false;
  const auto* user = llvm::cast<Instruction>(*sum.user_begin());
  return is_sum(user) && user->getParent() == sum.getParent();
}

using Terms = llvm::SmallVector<Value*, 8>;

void collect(Value* value, const Instruction& root, Terms& terms) {
  auto* i = llvm::dyn_cast<Instruction>(value);
  const bool inner = i != nullptr && is_sum(i) && i->getParent() == root.getParent() && i->hasOneUse();
  if (value != &root && !inner) {
    terms.push_back(value);
    return;
  }
  for (Value* operand : i->operands()) collect(operand, root, terms);
}

/// When the sum of such terms is known, if the two that are known first are always added next.
unsigned time_of_sum(llvm::SmallVector<unsigned, 8> times) {
  while (times.size() > 1) {
    std::sort(times.begin(), times.end(), std::greater<>());
    const unsigned second = times[times.size() - 2];
    times.pop_back();
    times.back() = second + 1;
  }
  return times.front();
}

/// The sums of one function.
class Sums {
 public:
  Sums(llvm::Function& function, llvm::LoopInfo& loops) : function_(function), loops_(loops) {}

  void order() {
    for (llvm::BasicBlock& block : function_) {
      llvm::Loop* loop = loops_.getLoopFor(&block);
      if (loop == nullptr || loop->getOutermostLoop()->getLoopPreheader() == nullptr) continue;
      begin_ = loop->getOutermostLoop()->getLoopPreheader()->getTerminator();
      Times times(block);
      llvm::SmallVector<Instruction*, 16> late;
      for (Instruction& i : block)
        if (is_sum(&i) && !is_inner(i) && gains(i, times)) late.push_back(&i);
      if (late.size() < kFewest) continue;
      for (Instruction* root : late) rebuild(*root, times);
    }
  }

 private:
  /// Whether the sum would be known earlier.
  static bool gains(Instruction& root, const Times& times) {
    Terms terms;
    collect(&root, root, terms);
    if (terms.size() < 3) return false;
    llvm::SmallVector<unsigned, 8> all;
    llvm::SmallVector<unsigned, 8> variable;
    for (const Value* term : terms) {
      // What earlier iterations have added up is the longer chain.
      if (llvm::isa<llvm::PHINode>(term)) return false;
      all.push_back(times.of(term));
      if (!llvm::isa<llvm::Constant>(term)) variable.push_back(times.of(term));
    }
    if (variable.empty()) return false;
    // What the code generator makes of it: constants come last.
    const bool has_constant = variable.size() < all.size();
    const unsigned now = has_constant ? std::max(times.of(&root), time_of_sum(variable) + 1) : times.of(&root);
    return time_of_sum(all) < now;
  }

  void rebuild(Instruction& root, Times& times) {
    Terms terms;
    collect(&root, root, terms);
    llvm::IRBuilder<> b(&root);
    for (Value*& term : terms)
      if (auto* constant = llvm::dyn_cast<llvm::Constant>(term)) term = loaded(*constant);
    while (terms.size() > 1) {
      Value* first = take_earliest(terms, times);
      auto* sum = llvm::BinaryOperator::CreateAdd(first, take_earliest(terms, times));
      b.Insert(sum, root.getName());
      times.note(*sum);
      terms.push_back(sum);
    }
    root.replaceAllUsesWith(terms.front());
    erase(root, times);
  }

  static Value* take_earliest(Terms& terms, const Times& times) {
    auto* at = std::min_element(terms.begin(), terms.end(),
                                [&](const Value* x, const Value* y) { return times.of(x) < times.of(y); });
    Value* term = *at;
    terms.erase(at);
    return term;
  }

  /// The sum and the inner ones that nothing uses any more.
  static void erase(Instruction& root, Times& times) {
    llvm::SmallVector<Instruction*, 8> unused{&root};
    while (!unused.empty()) {
      Instruction* i = unused.pop_back_val();
      llvm::SmallVector<Instruction*, 2> operands;
      for (Value* operand : i->operands())
        if (auto* inner = llvm::dyn_cast<Instruction>(operand); inner != nullptr && is_sum(inner))
          operands.push_back(inner);
      times.forget(*i);
      i->eraseFromParent();
      for (Instruction* inner : operands)
        if (inner->use_empty()) unused.push_back(inner);
    }
  }

  /// A value that the code generator does not see through.
  Value* loaded(llvm::Constant& constant) {
    auto [at, added] = loads_.try_emplace({&constant, begin_});
    if (!added) return at->second;
    llvm::Module& module = *function_.getParent();
    const llvm::Align align(module.getDataLayout().getTypeAllocSize(constant.getType()).getFixedValue());
    auto* variable = new llvm::GlobalVariable(module, constant.getType(), /*isConstant=*/true,
                                              llvm::GlobalValue::PrivateLinkage, &constant, "term");
    variable->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    variable->setAlignment(align);
    auto* load =
        new llvm::LoadInst(constant.getType(), variable, "term", /*isVolatile=*/false, align, begin_->getIterator());
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(module.getContext(), {}));
    return at->second = load;
  }

  llvm::Function& function_;
  llvm::LoopInfo& loops_;
  Instruction* begin_ = nullptr;  ///< the end of the block before the outermost loop
  std::map<std::pair<llvm::Constant*, Instruction*>, Value*> loads_;
};

/// A sum of more than two terms.
bool has_long_sums(const llvm::Function& function) {
  for (const llvm::BasicBlock& block : function)
    for (const Instruction& i : block)
      if (is_sum(&i) && is_inner(i)) return true;
  return false;
}

}  // namespace

llvm::PreservedAnalyses OrderSumsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  llvm::FunctionAnalysisManager& functions = function_analyses(module, analyses);
  return keeping_blocks(change_functions(module, [&](llvm::Function& function) {
    if (!has_long_sums(function)) return false;
    Sums(function, functions.getResult<llvm::LoopAnalysis>(function)).order();
    return true;
  }));
}

}  // namespace lanewise

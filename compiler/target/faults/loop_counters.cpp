// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/faults/loop_counters.h"

#include <llvm/ADT/SmallSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>

#include "compiler/base/loop_properties.h"
#include "compiler/base/statistic.h"

namespace lanewise {
namespace {

Statistic counted_loops_kept{"keep-loop-counters", "loops", "loops that LLVM must not vectorise"};

/// The bits that are left of a number where the instruction may extend what it, or an operand of it, has cut; 0: it
/// cannot.
unsigned narrow_bits(const llvm::Instruction& i) {
  if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(i)) {
    // What a comparison gives does not count.
    return llvm::isa<llvm::CmpInst>(i.getOperand(0)) ? 0 : i.getOperand(0)->getType()->getScalarSizeInBits();
  }
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&i)) {
    unsigned bits = 0;
    for (const llvm::Value* index : address->indices()) {
      const unsigned width = index->getType()->getScalarSizeInBits();
      if (!llvm::isa<llvm::Constant>(index) && width < 64) bits = std::max(bits, width);
    }
    return bits;
  }
  const auto* constant = i.getNumOperands() == 2 ? llvm::dyn_cast<llvm::ConstantInt>(i.getOperand(1)) : nullptr;
  if (constant == nullptr) return 0;
  const llvm::APInt& number = constant->getValue();
  switch (i.getOpcode()) {
    case llvm::Instruction::And:
      return number.countr_one();
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem:
      return number.isPowerOf2() ? number.logBase2() : 0;
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
      return number.ult(number.getBitWidth()) ? number.getBitWidth() - static_cast<unsigned>(number.getZExtValue()) : 0;
    default:
      return 0;
  }
}

/// Whether numbers of different widths may be extended in the loop. Asked first, because it takes no time.
bool may_count_differently(const llvm::Loop& loop) {
  unsigned first = 0;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& i : *block)
      if (const unsigned bits = narrow_bits(i); bits != 0) {
        if (first != 0 && bits != first) return true;
        first = bits;
      }
  return false;
}

/// Collects how many bits the counters of a loop have that are extended.
class CounterBits {
 public:
  CounterBits(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) : loop_(loop), evolution_(evolution) {}

  void add(llvm::Value& value) {
    if (evolution_.isSCEVable(value.getType())) llvm::visitAll(evolution_.getSCEV(&value), *this);
  }
  [[nodiscard]] bool differ() const { return found_.size() > 1; }

  // What visitAll asks for.
  bool follow(const llvm::SCEV* part) {
    const auto* extension = llvm::dyn_cast<llvm::SCEVIntegralCastExpr>(part);
    if (extension == nullptr || llvm::isa<llvm::SCEVTruncateExpr>(extension)) return true;
    const llvm::SCEV* number = extension->getOperand();
    if (llvm::SCEVExprContains(number, [&](const llvm::SCEV* s) {
          const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(s);
          return counter != nullptr && counter->getLoop() == &loop_;
        }))
      found_.insert(number->getType()->getScalarSizeInBits());
    return true;
  }
  static bool isDone() { return false; }  // NOLINT(readability-identifier-naming)

 private:
  const llvm::Loop& loop_;
  llvm::ScalarEvolution& evolution_;
  llvm::SmallSet<unsigned, 4> found_;
};

bool counts_differently(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  CounterBits bits(loop, evolution);
  for (llvm::BasicBlock* block : loop.blocks()) {
    for (llvm::Instruction& i : *block)
      if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&i))
        bits.add(*const_cast<llvm::Value*>(pointer));
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (branch == nullptr || !branch->isConditional() || !loop.isLoopExiting(block)) continue;
    if (auto* test = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()))
      for (llvm::Value* side : test->operands()) bits.add(*side);
  }
  return bits.differ();
}

}  // namespace

llvm::PreservedAnalyses KeepLoopCountersPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || !may_count_differently(*loop)) continue;
    if (!counts_differently(*loop, analyses.getResult<llvm::ScalarEvolutionAnalysis>(function))) continue;
    ++counted_loops_kept;
    llvm::addStringMetadataToLoop(loop, kNoVectors.name, *kNoVectors.value);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace lanewise

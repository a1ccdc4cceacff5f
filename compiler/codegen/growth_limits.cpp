// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/growth_limits.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>

#include <algorithm>
#include <memory>

namespace lanewise {
namespace {

using llvm::Function;

/// What some pass may have too much of.
struct Extent {
  unsigned loops = 0;
  unsigned blocks = 0;    ///< of the largest innermost loop
  unsigned accesses = 0;  ///< of the innermost loop that has most
};

unsigned accesses(const llvm::Loop& loop) {
  unsigned count = 0;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& i : *block) count += llvm::isa<llvm::LoadInst, llvm::StoreInst>(i) ? 1 : 0;
  return count;
}

Extent measure(const Function& function) {
  Extent extent;
  // Too few blocks and instructions for any of the limits: the ordinary case costs nothing.
  if (function.size() <= std::min(kVectorisedBlocks, kCountedLoops) &&
      function.getInstructionCount() <= kComparedAccesses)
    return extent;
  const llvm::DominatorTree dominators(const_cast<Function&>(function));
  const llvm::LoopInfo loops(dominators);
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    ++extent.loops;
    if (!loop->isInnermost()) continue;
    extent.blocks = std::max(extent.blocks, loop->getNumBlocks());
    extent.accesses = std::max(extent.accesses, accesses(*loop));
  }
  return extent;
}

class PassLimits {
 public:
  bool may_run(llvm::StringRef pass, const llvm::Any& unit) {
    if (const auto* loop = llvm::any_cast<const llvm::Loop*>(&unit)) {
      if (pass != "IndVarSimplifyPass") return true;
      return loops_of(*(*loop)->getHeader()->getParent()) <= kCountedLoops;
    }
    measured_ = nullptr;  // some pass over all of a function may change it
    const auto* function = llvm::any_cast<const Function*>(&unit);
    if (function == nullptr) return true;
    if (pass == "LoopVectorizePass") return measure(**function).blocks <= kVectorisedBlocks;
    if (pass == "LoopLoadEliminationPass") return measure(**function).accesses <= kComparedAccesses;
    return true;
  }

 private:
  unsigned loops_of(const Function& function) {
    if (measured_ != &function) {
      measured_ = &function;
      loops_ = measure(function).loops;
    }
    return loops_;
  }

  const Function* measured_ = nullptr;
  unsigned loops_ = 0;
};

}  // namespace

void limit_growth(llvm::PassInstrumentationCallbacks& callbacks) {
  callbacks.registerShouldRunOptionalPassCallback(
      [limits = std::make_shared<PassLimits>()](llvm::StringRef pass, const llvm::Any& unit) {
        return limits->may_run(pass, unit);
      });
}

GeneratorLimits::GeneratorLimits(const llvm::Module& module)
    : context_(module.getContext()), before_(context_.getOptPassGate()) {
  for (const Function& function : module) {
    if (function.isDeclaration()) continue;
    many_loops_ |= measure(function).loops > kCountedLoops;
    for (const llvm::BasicBlock& block : function) large_blocks_ |= block.size() > kScheduledInstructions;
  }
  context_.setOptPassGate(*this);
}

GeneratorLimits::~GeneratorLimits() {
  context_.setOptPassGate(before_);
}

/// LLVM gives passes over loops by their titles and those over machine code by their names on a command line.
bool GeneratorLimits::shouldRunPass(llvm::StringRef pass, llvm::StringRef /*unit*/) const {
  if (many_loops_ && (pass == "Loop Strength Reduction" || pass == "Canonicalize Freeze Instructions in Loops"))
    return false;
  return !large_blocks_ || (pass != "machine-scheduler" && pass != "twoaddressinstruction");
}

}  // namespace lanewise

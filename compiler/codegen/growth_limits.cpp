// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/growth_limits.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>

#include <algorithm>
#include <memory>

#include "compiler/codegen/mask_extensions.h"
#include "compiler/codegen/masked_loads.h"
#include "compiler/codegen/unaligned_conversions.h"

namespace lanewise {
namespace {

using llvm::Function;

/// The quantities with which the time of some pass grows.
struct Extent {
  unsigned loops = 0;
  unsigned blocks = 0;    ///< of the largest innermost loop
  unsigned accesses = 0;  ///< of the innermost loop with the most accesses
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

/// Passes over one loop that walk through all loops of the function, or invalidate analyses of all of them.
bool counts_loops(llvm::StringRef pass) {
  return pass == "IndVarSimplifyPass" || pass == "LoopIdiomRecognizePass" || pass == "LoopDeletionPass" ||
         pass == "LoopFullUnrollPass" || pass == "LoopRotatePass";
}

class PassLimits {
 public:
  bool may_run(llvm::StringRef pass, const llvm::Any& unit) {
    if (const auto* loop = llvm::any_cast<const llvm::Loop*>(&unit)) {
      return !counts_loops(pass) || loops_of(*(*loop)->getHeader()->getParent()) <= kCountedLoops;
    }
    measured_ = nullptr;  // a pass over a whole function may change it
    const auto* function = llvm::any_cast<const Function*>(&unit);
    if (function == nullptr) return true;
    if (pass == "LoopVectorizePass") return measure(**function).blocks <= kVectorisedBlocks;
    if (pass == "LoopUnrollPass") return measure(**function).loops <= kCountedLoops;
    if (pass == "LoopLoadEliminationPass") {
      const Extent extent = measure(**function);
      return extent.accesses <= kComparedAccesses && extent.loops <= kCountedLoops;
    }
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
  for (const Function& function : module)
    for (const llvm::BasicBlock& block : function) large_blocks_ |= block.size() > kScheduledInstructions;
  context_.setOptPassGate(*this);
}

GeneratorLimits::~GeneratorLimits() {
  context_.setOptPassGate(before_);
}

GeneratorPasses::GeneratorPasses(const llvm::Module& module, bool reduce_strength) : reduce_strength_(reduce_strength) {
  for (const Function& function : module)
    many_loops_ |= !function.isDeclaration() && measure(function).loops > kCountedLoops;
}

/// For passes over machine code LLVM passes their command-line names here.
bool GeneratorLimits::shouldRunPass(llvm::StringRef pass, llvm::StringRef /*unit*/) const {
  return pass != "machine-scheduler";
}

void GeneratorPasses::add(llvm::Pass* pass) {
  const llvm::StringRef title = pass->getPassName();
  const bool reduces = title == "Loop Strength Reduction" || title == "Canonicalize Freeze Instructions in Loops";
  const bool counts_loops = reduces || title == "Machine code sinking";
  if ((many_loops_ && counts_loops) || (!reduce_strength_ && reduces)) {
    delete pass;
    return;
  }
  if (pass->getPassID() == &llvm::PeepholeOptimizerLegacyID) llvm::legacy::PassManager::add(create_masked_loads_pass());
  const bool selected = pass->getPassID() == &llvm::FinalizeISelID;
  llvm::legacy::PassManager::add(pass);
  if (!selected) return;
  llvm::legacy::PassManager::add(create_mask_extensions_pass());
  llvm::legacy::PassManager::add(create_unaligned_conversions_pass());
}

}  // namespace lanewise

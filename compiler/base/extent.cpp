// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/extent.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace lanewise {
namespace {

unsigned accesses(const llvm::Loop& loop) {
  unsigned count = 0;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& i : *block) count += llvm::isa<llvm::LoadInst, llvm::StoreInst>(i) ? 1 : 0;
  return count;
}

}  // namespace

Extent measure(const llvm::Function& function, unsigned few_accesses) {
  Extent extent;
  // Too few blocks and instructions for any of the limits: the ordinary case costs nothing.
  if (function.size() <= std::min(kVectorisedBlocks, kCountedLoops) && function.getInstructionCount() <= few_accesses)
    return extent;
  const llvm::DominatorTree dominators(const_cast<llvm::Function&>(function));
  const llvm::LoopInfo loops(dominators);
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    ++extent.loops;
    if (!loop->isInnermost()) continue;
    extent.blocks = std::max(extent.blocks, loop->getNumBlocks());
    extent.accesses = std::max(extent.accesses, accesses(*loop));
  }
  return extent;
}

}  // namespace lanewise

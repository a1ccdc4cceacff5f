// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/prepare/invariant_loads.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include "compiler/lanes/analysis/item_loop.h"

namespace lanewise::spmd {
namespace {

bool writes(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const llvm::Instruction& i) { return i.mayWriteToMemory() || i.mayThrow(); });
  });
}

/// What comes before a load in the header may not end the work-item, so the load is reached whenever the loop is.
void hoist_from(llvm::Loop& loop) {
  llvm::BasicBlock* before = loop.getLoopPreheader();
  if (before == nullptr || items_metadata(loop) != nullptr || writes(loop)) return;
  for (llvm::Instruction& i : llvm::make_early_inc_range(*loop.getHeader())) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
    if (load == nullptr || !load->isSimple()) continue;
    bool changed = false;
    if (loop.makeLoopInvariant(load->getPointerOperand(), changed))
      load->moveBefore(before->getTerminator()->getIterator());
  }
}

}  // namespace

void hoist_invariant_loads(const llvm::LoopInfo& loops) {
  // From the innermost: what has left a loop may be in the header of the next one.
  const auto outer_first = loops.getLoopsInPreorder();
  for (llvm::Loop* loop : llvm::reverse(outer_first)) hoist_from(*loop);
}

}  // namespace lanewise::spmd

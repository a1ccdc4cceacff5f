// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/loop_motion.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

namespace lanewise {

bool hoist_invariants(llvm::Loop& loop) {
  bool changed = false;
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& i : llvm::make_early_inc_range(*block))
      if (!llvm::isa<llvm::PHINode>(i) && !i.isTerminator() && !i.mayReadOrWriteMemory())
        loop.makeLoopInvariant(&i, changed);
  return changed;
}

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/emit/skipping.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/ProfDataUtils.h>

namespace lanewise::spmd {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

bool is_unlikely(const BasicBlock& block) {
  constexpr std::uint64_t kOften = 64;
  const BasicBlock* before = block.getSinglePredecessor();
  const auto* branch = before == nullptr ? nullptr : llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
  std::uint64_t taken = 0;
  std::uint64_t skipped = 0;
  if (branch == nullptr || !branch->isConditional() || !llvm::extractBranchWeights(*branch, taken, skipped))
    return false;
  if (branch->getSuccessor(0) != &block) std::swap(taken, skipped);
  return taken < skipped / kOften;
}

bool is_worth_skipping(const VectorState& state, const BasicBlock& block) {
  unsigned cost = 0;
  for (const Instruction& i : block) {
    if (llvm::isa<PHINode>(i) || i.isTerminator()) continue;
    if (const Value* pointer = llvm::getLoadStorePointerOperand(&i)) {
      // The address of a masked access without active lanes may be invalid, which takes the processor hundreds of
      // cycles.
      if (!state.shape(pointer).is_uniform()) return true;
      cost += 3;
    } else if (llvm::isa<llvm::CallBase>(i)) {
      cost += 4;
    } else if (i.isIntDivRem()) {
      cost += 32;
    } else {
      cost += state.shape(&i).has_base() ? 0 : 1;
    }
  }
  constexpr unsigned kWorthTest = 12;
  constexpr unsigned kWorthUnlikelyTest = 4;
  return cost > (is_unlikely(block) ? kWorthUnlikelyTest : kWorthTest);
}

}  // namespace lanewise::spmd

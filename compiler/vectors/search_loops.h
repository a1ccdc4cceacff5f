// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops whose header computes much without side effects, and mostly goes on with the latch:
///
///     header:  what all iterations do;   br latch | rest (or an exit)
///     latch:   br header | exit
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include <optional>

#include "src/base/isa.h"

namespace llvm {
class TargetTransformInfo;
}

namespace lanewise {

struct SearchLoop {
  llvm::Loop* loop = nullptr;
  llvm::BasicBlock* header = nullptr;
  llvm::BasicBlock* latch = nullptr;
  llvm::BasicBlock* exit = nullptr;                 ///< exit of the latch
  bool header_goes_on = false;                      ///< the header goes to the latch if its condition is true
  bool latch_goes_on = false;                       ///< the latch goes to the header if its condition is true
  llvm::SmallVector<llvm::LoadInst*> loads;         ///< loads of the header from addresses that change
  llvm::SmallPtrSet<const llvm::Value*, 32> chain;  ///< values of the header that are ready later than all before them

  [[nodiscard]] llvm::Value* header_condition() const { return condition(*header); }
  [[nodiscard]] llvm::Value* latch_condition() const { return condition(*latch); }

 private:
  static llvm::Value* condition(const llvm::BasicBlock& block) {
    return llvm::cast<llvm::BranchInst>(block.getTerminator())->getCondition();
  }
};

/// A loop in which the processor would wait less if it had two iterations at once: the header's phis, the latch's
/// condition and the addresses of loads follow from the header's phis in few operations, and the chain of the header's
/// is long.
std::optional<SearchLoop> find_search(llvm::Loop& loop, const llvm::TargetTransformInfo& target, Isa isa);

/// Whether a value is a vector that takes one register.
[[nodiscard]] bool fills_register(const llvm::Value& v, Isa isa);

}  // namespace lanewise

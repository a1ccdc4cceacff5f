// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The intervals between barriers, which a work-item counts for itself: two accesses to local memory in the same
/// interval, by work-items of one group, have no order. Barriers that order global memory are counted apart.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace lanewise {

class Intervals {
 public:
  /// Adds the two counters to a kernel.
  explicit Intervals(llvm::Function& kernel);

  /// Counts at `i` if it is a barrier. @returns whether it is a fence of global memory
  bool count(llvm::Instruction& i);

  /// Whether `i` is a barrier or a fence of any memory.
  [[nodiscard]] static bool orders(const llvm::Instruction& i);

  /// i64: the number of the interval, of local or of global memory.
  llvm::Value* now(llvm::IRBuilder<>& b, bool local) const;

 private:
  llvm::AllocaInst* local_;
  llvm::AllocaInst* global_;
};

}  // namespace lanewise

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds the branches of a vector loop that depend on its work-items and that the vectors of one iteration can still
/// share:
///
///     br %consecutive, %fast, %general      !lanewise.forms    to the fast form where all of the vectors can
///     br %some_lane, %do, %after            !lanewise.skips    around the code where none of them has work in it
///     br %some_lane, %loop, %after          !lanewise.stays    on with the loop until none of them has work in it
///
/// Skips and stays are only shared where the code does no harm to a vector of which no lane is active: nothing in it
/// may fault or access memory but under masks, or in a fast form. A loop goes on for all vectors as long as one has
/// work, so only those are marked that lanes leave after nearly the same number of iterations. Loops that step over
/// elements of all work-items are such: neighbouring vectors read neighbouring lines, in place of one line of each page
/// (pyopencl's arrays, xDOT and xASUM of CLBlast, SHOC's reduction: 2 to 3 times as fast from memory).
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

namespace lanewise::spmd {

/// How the conditions of several vectors become one.
enum class BranchSharing : unsigned char {
  none,
  all,   ///< the first way is for all vectors or for none
  some,  ///< the first way is for all vectors if it is for one
};

/// Loads, stores, gathers and scatters under a mask.
[[nodiscard]] bool is_masked_access(const llvm::Instruction& i);

class SharedBranches {
 public:
  SharedBranches() = default;
  explicit SharedBranches(const llvm::Loop& loop);

  [[nodiscard]] BranchSharing of(const llvm::Instruction& terminator) const { return branches_.lookup(&terminator); }
  /// Blocks that run only where a fast form cannot be taken.
  [[nodiscard]] const llvm::SmallPtrSetImpl<const llvm::BasicBlock*>& seldom() const { return seldom_; }

 private:
  void find_seldom(const llvm::Loop& loop);

  llvm::DenseMap<const llvm::Instruction*, BranchSharing> branches_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> seldom_;
};

}  // namespace lanewise::spmd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What all vector loops have in common, whatever runs before and after them:
///
///     top:
///       %x = phi i64 [ ... ], [ %next, %end ]      begin: the local id of lane 0
///       ...                                        body
///     end:
///       %next = add nuw i64 %x, %step              repeat
///       br (%next < %limit), %top, %after
///
/// New blocks go before the work-item loop that they replace, between the block before it and its exit.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/lanes/emit/lane_storage.h"
#include "compiler/lanes/plan/planner.h"

namespace lanewise::spmd {

class LoopBuilder {
 public:
  LoopBuilder(const LoopFacts& facts, const LoopPlan& plan, const llvm::TargetTransformInfo& target,
              LaneStorage& storage);

  [[nodiscard]] llvm::BasicBlock* block(const char* suffix) const;
  /// Replaces the end of the block before the loop; returns it with the builder at its end.
  llvm::BasicBlock* leave_before(llvm::IRBuilder<>& b) const;

  /// Begins a loop in `top`, which is entered from `from` with the counter at `start`.
  llvm::PHINode* begin(llvm::IRBuilder<>& b, llvm::BasicBlock* top, llvm::BasicBlock* from, llvm::Value* start,
                       const char* suffix) const;
  /// Goes round again while the counter, increased by `step`, is below `limit`; else to `after`.
  void repeat(llvm::IRBuilder<>& b, llvm::PHINode* counter, llvm::Value* step, llvm::Value* limit,
              llvm::BasicBlock* after) const;

  /// The body for full vectors: without a mask, for work-items that pass the guards.
  void full_body(llvm::IRBuilder<>& b, llvm::Value* first) const;
  /// The body for the lanes in `mask` (emitter.h), which are one lane if not `bounded` (BodyForm::bounded).
  void masked_body(llvm::IRBuilder<>& b, llvm::Value* first, llvm::Value* mask, llvm::Value* full = nullptr,
                   bool bounded = true) const;

  /// The number of those of `items` work-items that fill whole vectors.
  llvm::Value* in_whole_vectors(llvm::IRBuilder<>& b, llvm::Value* items) const;
  /// The mask `lane < count`, compared as integers of `bits` bits.
  llvm::Value* first_lanes(llvm::IRBuilder<>& b, llvm::Value* count, unsigned bits) const;

  llvm::BasicBlock* const header;  ///< header of the work-item loop
  llvm::BasicBlock* const before;  ///< preheader of the work-item loop
  llvm::BasicBlock* const exit;
  const unsigned width;

 private:
  const LoopFacts& facts_;
  const LoopPlan& plan_;
  const llvm::TargetTransformInfo& target_;
  LaneStorage& storage_;
};

}  // namespace lanewise::spmd

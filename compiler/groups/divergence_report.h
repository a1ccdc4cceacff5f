// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Debug mode: tells the runtime when the work-items of a group do not all arrive at the same barrier.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/groups/range_function.h"
#include "compiler/groups/regions.h"

namespace lanewise {

/// Each work-item notes where it stopped and compares with the one before it. Reports at most once per run of a region.
class DivergenceReport {
 public:
  DivergenceReport(RangeFunction& range, const RegionGraph& graph) : range_(range), graph_(graph) {}

  /// To be called at the beginning of a region, outside of its loops.
  void begin_region(llvm::IRBuilder<>& b);

  /// A work-item stops at barrier `exit`, or at the kernel's end (0). Leaves `b` at a new block without terminator.
  void arrive(llvm::IRBuilder<>& b, unsigned exit, llvm::Value* group);

 private:
  void make_state();
  /// Private constant array of pointers: [number] -> "file:line" of the barrier.
  llvm::GlobalVariable* sites();

  RangeFunction& range_;
  const RegionGraph& graph_;
  llvm::AllocaInst* before_ = nullptr;    ///< i32: where the work-item before stopped; ~0: none yet
  llvm::AllocaInst* reported_ = nullptr;  ///< i1
  llvm::GlobalVariable* sites_ = nullptr;
};

}  // namespace lanewise

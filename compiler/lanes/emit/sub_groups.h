// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Operations between the work-items of a sub-group, which are the lanes of a vector: shuffles, ballots and reductions.
/// The mask says which lanes are active, so they work in divergent code as well.
///
///     %s = call float @__lw_sub_group_reduce_add_float(float %v)
///  =>
///     %m = select <8 x i1> %mask, <8 x float> %v, <8 x float> zeroinitializer
///     %4 = fadd <4 x float> (low half of %m), (high half of %m)
///     %2 = ...                                                        ; log2(8) steps, then one scalar
#pragma once

#include "compiler/builtins/sub_group_operations.h"
#include "compiler/lanes/emit/vector_state.h"

namespace lanewise::spmd {

class SubGroups {
 public:
  explicit SubGroups(VectorState& state) : s_(state), b_(state.b) {}

  /// Emits a call of a sub-group operation (compiler/builtins/sub_group_operations.h) for the lanes in `mask`.
  void emit(const llvm::CallInst& call, llvm::Value* mask);

 private:
  llvm::Value* ballot(const llvm::CallInst& call, llvm::Value* mask);
  llvm::Value* broadcast(const llvm::CallInst& call, llvm::Value* mask);
  llvm::Value* shuffle(const llvm::CallInst& call);
  llvm::Value* masked_operand(const llvm::CallInst& call, llvm::Value* mask);
  llvm::Value* scan(const llvm::CallInst& call, llvm::Value* mask);
  llvm::Value* clustered(const llvm::CallInst& call, llvm::Value* mask);
  llvm::Value* reduce(const llvm::CallInst& call, llvm::Value* mask);

  VectorState& s_;
  LaneBuilder& b_;
};

}  // namespace lanewise::spmd

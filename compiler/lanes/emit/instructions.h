// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The instructions of a block in the vector form, for the lanes in a mask.
///
///     %p = getelementptr float, ptr %a, i64 %id      lane 0 of a strided value stays a scalar instruction
///     %v = load float, ptr %p                        memory: fields.h, loads.h, stores.h
///     %c = fcmp olt float %v, 0.0                    the same instruction on vectors
///     %s = call float @__lw_sub_group_...            between lanes: sub_groups.h
///     %o = atomicrmw add ptr %q, i32 1               atomics.h
///     call void @__lw_lanes_...(...)                 one call for all lanes: builtins/lane_functions.h
///     call void @f(...)                              no vector form: one lane after the other: per_lane.h
#pragma once

#include "compiler/lanes/emit/atomics.h"
#include "compiler/lanes/emit/fields.h"
#include "compiler/lanes/emit/loads.h"
#include "compiler/lanes/emit/stores.h"
#include "compiler/lanes/emit/sub_groups.h"

namespace lanewise::spmd {

class Instructions {
 public:
  Instructions(VectorState& state, Masks& masks)
      : s_(state),
        b_(state.b),
        masks_(masks),
        fields_(state, masks),
        loads_(state, masks),
        stores_(state, masks),
        atomics_(state, masks),
        sub_groups_(state) {}

  /// Emits all instructions of a block but its phis and its terminator.
  void emit(const llvm::BasicBlock& block, llvm::Value* mask);

 private:
  void emit(const llvm::Instruction& i, llvm::Value* mask);
  void emit_scalar(const llvm::Instruction& i, llvm::Value* mask, const Shape& shape);
  void emit_vector(const llvm::Instruction& i, llvm::Value* mask);
  llvm::Value* holds_of(const llvm::Instruction& i);
  llvm::Value* widened(const llvm::Instruction& i, llvm::Value* mask);
  void emit_lane_function(const llvm::CallInst& call, llvm::Value* mask);
  void emit_shared_read(const llvm::CallInst& call, llvm::Value* mask);
  llvm::Value* widened_call(const llvm::CallInst& call);
  llvm::Value* interleaved_address(const llvm::GetElementPtrInst& address, bool all_lanes);

  VectorState& s_;
  LaneBuilder& b_;
  Masks& masks_;
  Fields fields_;
  Loads loads_;
  Stores stores_;
  Atomics atomics_;
  SubGroups sub_groups_;
};

}  // namespace lanewise::spmd

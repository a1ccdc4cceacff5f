// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Atomic operations of all lanes. Where all lanes use one address they become one operation with the combined operands
/// of the lanes, and each lane's result follows from the old value and the lanes before it:
///
///     %old = atomicrmw add ptr %p, i32 %v     =>   %sums = ...                 ; of the lanes before, in log2(W) steps
///                                                  %before = atomicrmw add ptr %p, i32 %total
///                                                  %old = add <8 x i32> %before.splat, %sums   ; only if it is used
///
/// The effect is that of the lanes one after the other with no other thread in between, which every memory order
/// permits. Floating-point operations round one by one, in the order of the lanes, inside one compare-and-exchange
/// loop, unless options of the program allow sums in another order.
///
/// Lanes that take packets of one pipe take them together, those that come first if there are not enough for all:
///
///     %t = call i64 @__lw_take_packets(ptr %s, i32 1, i32 3, i32 1)    =>
///                            %all = call i64 @__lw_take_packets(ptr %s, i32 1, i32 3, i32 %active)
///                            %number = add <8 x i64> %all.number.splat, (3 * lanes before)
///                            %taken = icmp ult <8 x i64> (lanes before), %all.taken.splat
///                            %t = or <8 x i64> %number, (select %taken, 1 << 56, 0)
///
/// Whether a varying address is the same in all active lanes is tested at run time; if it is not, the lanes run one
/// after the other, in a loop if no result is used (lane_loop.h), else written out (per_lane.h).
#pragma once

#include "compiler/lanes/emit/masks.h"

namespace lanewise::spmd {

class Atomics {
 public:
  Atomics(VectorState& state, Masks& masks) : s_(state), b_(state.b), masks_(masks) {}

  void emit(const llvm::AtomicRMWInst& atomic, llvm::Value* mask);
  /// A load from one address for all lanes.
  void emit(const llvm::LoadInst& load, llvm::Value* mask);
  /// A call that takes packets of a pipe.
  void emit_take(const llvm::CallInst& call, llvm::Value* mask);

 private:
  llvm::Value* first_active(llvm::Value* values, llvm::Value* mask);
  llvm::Value* together(const llvm::AtomicRMWInst& atomic, llvm::Value* pointer, llvm::Value* mask);
  llvm::Value* counted(const llvm::AtomicRMWInst& atomic, llvm::Value* pointer, llvm::Value* mask);
  llvm::Value* combined(const llvm::AtomicRMWInst& atomic, llvm::Value* pointer, llvm::Value* mask);
  llvm::Value* one_by_one(const llvm::AtomicRMWInst& atomic, llvm::Value* pointer, llvm::Value* mask);

  VectorState& s_;
  LaneBuilder& b_;
  Masks& masks_;
};

}  // namespace lanewise::spmd

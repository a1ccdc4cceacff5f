// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Atomic operations of all lanes. Where they meet at one address they are one operation with what the lanes have
/// together, and each lane's result follows from the old value and the lanes before it:
///
///     %old = atomicrmw add ptr %p, i32 %v     =>   %sums = ...                            ; of the lanes before, log2 steps
///                                                  %before = atomicrmw add ptr %p, i32 %total
///                                                  %old = add <8 x i32> %before.splat, %sums   ; only if it is used
///
/// That is what the lanes one after the other would leave and find, with nothing of another thread in between, which no
/// memory order forbids. Floating-point operations round one by one, in the order of the lanes, inside one loop that
/// compares and exchanges.
///
/// Whether an address that differs between lanes is the same in all that are active is asked when it runs; if it is
/// not, lanes go one after the other (per_lane.h).
#pragma once

#include "compiler/spmd/emit/masks.h"

namespace lanewise::spmd {

class Atomics {
 public:
  Atomics(VectorState& state, Masks& masks) : s_(state), b_(state.b), masks_(masks) {}

  void emit(const llvm::AtomicRMWInst& atomic, llvm::Value* mask);
  /// A load from one address for all lanes.
  void emit(const llvm::LoadInst& load, llvm::Value* mask);

 private:
  using Form = llvm::function_ref<llvm::Value*()>;

  llvm::Value* either(llvm::Value* test, Form yes, Form no);
  llvm::Value* first_active(llvm::Value* values, llvm::Value* mask);
  llvm::Value* together(const llvm::AtomicRMWInst& atomic, llvm::Value* pointer, llvm::Value* mask);
  llvm::Value* counted(const llvm::AtomicRMWInst& atomic, llvm::Value* pointer, llvm::Value* mask);
  llvm::Value* combined(const llvm::AtomicRMWInst& atomic, llvm::Value* pointer, llvm::Value* mask);
  llvm::Value* one_by_one(const llvm::AtomicRMWInst& atomic, llvm::Value* pointer, llvm::Value* mask);
  llvm::Value* lanes_before(llvm::Value* mask, llvm::Type* type);

  VectorState& s_;
  LaneBuilder& b_;
  Masks& masks_;
};

}  // namespace lanewise::spmd

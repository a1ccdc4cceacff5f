// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Stores of the vector form, in the same forms as loads (loads.h). Where several lanes store to one place the last one
/// wins, as if the work-items ran one after the other.
#pragma once

#include <llvm/IR/Instructions.h>

#include "compiler/lanes/emit/addresses.h"
#include "compiler/lanes/emit/components.h"
#include "compiler/lanes/emit/two_forms.h"

namespace lanewise::spmd {

class Stores {
 public:
  Stores(VectorState& state, Masks& masks) : s_(state), b_(state.b), masks_(masks), addresses_(state, masks) {}

  /// Simple stores, and atomic ones that are plain stores of the processor.
  [[nodiscard]] static bool has_vector_form(const llvm::StoreInst& store) {
    return !store.isVolatile() && !llvm::isStrongerThan(store.getOrdering(), llvm::AtomicOrdering::Release);
  }
  /// Emits such a store for the lanes in `mask`.
  void emit(const llvm::StoreInst& store, llvm::Value* mask);

 private:
  void uniform(const llvm::StoreInst& store, llvm::Value* mask);
  llvm::Value* last_active(const llvm::Value* v, llvm::Value* mask);
  void by_test(const llvm::StoreInst& store, llvm::Value* test, llvm::Value* mask, LaneOrder order = LaneOrder::up);
  void full_or_masked(const llvm::StoreInst& store, llvm::Value* mask, LaneOrder order = LaneOrder::up);
  void consecutive(const llvm::StoreInst& store, llvm::Value* mask, LaneOrder order = LaneOrder::up);
  void blended(const llvm::StoreInst& store, llvm::Value* mask);
  void lane_by_lane(const llvm::StoreInst& store, llvm::Value* mask);
  void by_runs(const llvm::StoreInst& store, llvm::Value* mask);
  void rarely(const llvm::StoreInst& store, llvm::Value* mask);

  VectorState& s_;
  LaneBuilder& b_;
  Masks& masks_;
  Addresses addresses_;
};

}  // namespace lanewise::spmd

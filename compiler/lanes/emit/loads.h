// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loads of the vector form, as their recipe says (plan/accesses.h).
///
///     uniform               one scalar load; for an empty mask from the address of a dummy
///     wide                  one wide load, masked where not all lanes are active; vectors of N components are taken
///                           apart by shuffles (array of structures to structure of arrays)
///     the same, one form    (item_loop.h) wide where all lanes are active, masked for the last vector
///     reversed              the same, at the last lane's address, and shuffles
///     tested                both forms, chosen by the test of the address; a gather for the rare one, where the
///                           processor has it
///     gathered              one gather, or one for each 64 bits of a small vector
///     lane by lane          one load per lane; inactive lanes load from the dummy
#pragma once

#include "compiler/lanes/emit/addresses.h"
#include "compiler/lanes/emit/components.h"
#include "compiler/lanes/emit/two_forms.h"

namespace lanewise::spmd {

class Loads {
 public:
  Loads(VectorState& state, Masks& masks) : s_(state), b_(state.b), masks_(masks), addresses_(state, masks) {}

  /// Emits a simple load for the lanes in `mask`, and sets its lanes.
  void emit(const llvm::LoadInst& load, llvm::Value* mask);

 private:
  void uniform(const llvm::LoadInst& load, llvm::Value* mask);
  Parts parts_of(const llvm::LoadInst& load, AccessForm form, llvm::Value* mask);
  Parts by_test(const llvm::LoadInst& load, llvm::Value* test, llvm::Value* mask, bool usually,
                LaneOrder order = LaneOrder::up);
  llvm::Value* consecutive_lanes(const llvm::LoadInst& load, llvm::Value* mask);
  Parts full_or_masked(const llvm::LoadInst& load, llvm::Value* mask, LaneOrder order = LaneOrder::up);
  Parts consecutive(const llvm::LoadInst& load, llvm::Value* mask, LaneOrder order = LaneOrder::up);
  Parts apart(const llvm::LoadInst& load, llvm::Value* mask);
  Parts lane_by_lane(const llvm::LoadInst& load, llvm::Value* mask);
  Parts gathered(const llvm::LoadInst& load, llvm::Type& unit, llvm::Value* mask);
  Parts rarely(const llvm::LoadInst& load, llvm::Value* mask);
  Parts by_runs(const llvm::LoadInst& load, llvm::Value* mask);

  VectorState& s_;
  LaneBuilder& b_;
  Masks& masks_;
  Addresses addresses_;
};

/// Copies the metadata of an access that stay true for several lanes at once.
void copy_metadata(const llvm::Instruction& from, llvm::Instruction* to);

}  // namespace lanewise::spmd

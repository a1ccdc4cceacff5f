// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the parts of the last step (region_loops.h) have in common: the frame into which the regions are written, and
/// the places of values that live across barriers.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/groups/divergence_report.h"
#include "compiler/groups/region_loops.h"

namespace lanewise {

/// What the loop nests of all regions of a kernel share.
struct RegionShared {
  RegionShared(RangeFunction& r, const RegionInput& i) : range(r), in(i) {}

  RangeFunction& range;
  const RegionInput& in;
  llvm::AllocaInst* next = nullptr;             ///< i32: the continuation to go on with, 0 for none
  llvm::AllocaInst* at_turns = nullptr;         ///< i8: a work-item is at a turn. Null without turns
  llvm::SmallVector<llvm::BasicBlock*> begins;  ///< first block of each region
  llvm::SmallVector<llvm::BasicBlock*> behind;  ///< block where a group goes on that has arrived, by continuation
  llvm::DenseMap<unsigned, llvm::AllocaInst*> indices;  ///< places of indices that are Keep::group, by continuation
  llvm::DenseMap<llvm::Instruction*, llvm::AllocaInst*> group_places;
  llvm::DenseMap<const llvm::AllocaInst*, llvm::Value*> variables;  ///< private variables that work-items share
  llvm::DenseMap<std::uint64_t, llvm::Value*> slot_bases;           ///< arrays of slots, by ItemSlot::offset
  llvm::SmallVector<llvm::AllocaInst*> frame_slots;                 ///< arrays of slots that are variables of the frame
  DivergenceReport* report = nullptr;

  [[nodiscard]] llvm::LLVMContext& context() const { return range.function->getContext(); }
  [[nodiscard]] llvm::BasicBlock* block(const llvm::Twine& name) const;
  llvm::AllocaInst* allocate(llvm::Type* type, const llvm::Twine& name) const;
  /// The place of the work-item `linear` in a slot of item scratch.
  llvm::Value* slot_address(llvm::IRBuilder<>& b, const ItemSlot& slot, llvm::Value* linear);
  /// Its place in the slot of a private variable, or of the first element of one that lies element by element.
  llvm::Value* variable_address(llvm::IRBuilder<>& b, const PrivateVariable& variable, llvm::Value* linear);
  /// Says that slots in the frame hold nothing from one group to the next. Once, when all regions have been written.
  void limit_lifetimes() const;

 private:
  /// Start of a slot's array: in item scratch, computed once per range, or a variable of the frame.
  llvm::Value* slot_base(const ItemSlot& slot);
};

/// The value of stored_type (live_values.h) for a value that lives across a barrier.
[[nodiscard]] llvm::Value* as_stored(llvm::IRBuilder<>& b, llvm::Value* v);
/// The inverse: the value of `type` that was stored as `stored`.
[[nodiscard]] llvm::Value* as_computed(llvm::IRBuilder<>& b, llvm::Value* stored, llvm::Type* type);

}  // namespace lanewise

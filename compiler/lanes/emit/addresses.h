// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Addresses of loads and stores: of lane 0, of each lane, and run-time tests of whether they are consecutive.
#pragma once

#include "compiler/lanes/analysis/bent_lines.h"
#include "compiler/lanes/emit/lines.h"
#include "compiler/lanes/emit/masks.h"
#include "compiler/lanes/emit/vector_state.h"
#include "compiler/lanes/plan/accesses.h"

namespace lanewise::spmd {

class Addresses {
 public:
  Addresses(VectorState& state, Masks& masks) : s_(state), b_(state.b), masks_(masks), lines_(state) {}

  /// What the access becomes for the lanes in `mask`.
  [[nodiscard]] AccessRecipe recipe(const llvm::Instruction& access, const llvm::Value* mask) const {
    return {access, s_.shapes, s_.isa, mask != nullptr};
  }
  /// The address of an access that all active lanes make at one place; that of a dummy if no lane is active.
  llvm::Value* uniform_address(llvm::Value* pointer, llvm::Value* mask, llvm::Type* type);
  /// Lane 0's address, for accesses whose lanes are consecutive.
  llvm::Value* first_address(const llvm::Instruction& access);
  /// The same of the last lane, for accesses whose lanes go down.
  llvm::Value* last_address(const llvm::Instruction& access);
  /// The type of an access to consecutive lanes under a mask: that of their components, one after the other. Where the
  /// processor has masks for larger elements only, one of 32 or 64 bits is a lane's: <8 x i32> for lanes of <4 x i8>.
  [[nodiscard]] llvm::FixedVectorType* masked_type(const llvm::Instruction& access) const;
  /// Whether the processor has masked accesses of this type.
  [[nodiscard]] bool masks(const llvm::Instruction& access, llvm::FixedVectorType* lanes) const;
  /// One address per lane; a dummy's for inactive lanes.
  llvm::SmallVector<llvm::Value*> lane_addresses(const llvm::Value* pointer, llvm::Value* mask, llvm::Type* type);
  /// Alignment of the access in each lane.
  [[nodiscard]] llvm::Align lane_alignment(const llvm::Instruction& access) const;
  /// Whether an access to consecutive lanes may be made for all of them, though only those in `mask` do it: each lane
  /// has an element of a private variable, which nobody else sees.
  [[nodiscard]] bool all_lanes_exist(const llvm::Instruction& access, const llvm::Value* mask) const;
  /// Whether it pays to test if the lanes of a scattered access happen to be consecutive.
  [[nodiscard]] BentLines::Guess guess(const llvm::Instruction& access) const;
  /// An i1: lanes whose addresses may be any happen to be consecutive.
  llvm::Value* lanes_are_consecutive(const llvm::Instruction& access, llvm::Value* mask);
  /// An i1: lanes whose addresses may be any happen to be `bytes` apart.
  llvm::Value* lanes_are_apart(const llvm::Instruction& access, std::uint64_t bytes, llvm::Value* mask);
  /// The address of a lane that may be anywhere, where possible without a vector of pointers.
  llvm::Value* place_of(const llvm::Instruction& access, unsigned lane);

  /// Lanes that are consecutive up to one of them, and consecutive again from there on.
  struct Run {
    llvm::Value* address = nullptr;  ///< lane 0 would have it in this run; may be before the object
    llvm::Value* lanes = nullptr;    ///< mask of the active lanes in it
  };
  struct TwoRuns {
    Run first;
    Run last;
    llvm::Value* holds = nullptr;  ///< i1: each active lane is in one of them
  };
  /// Whether it pays to look for two runs in the lanes that are not consecutive.
  [[nodiscard]] bool may_have_two_runs(const llvm::Instruction& access) const;
  TwoRuns two_runs(const llvm::Instruction& access, llvm::Value* mask) {
    return two_runs(access, bytes_of(access), mask);
  }
  /// The same for lanes that are `bytes` apart.
  TwoRuns two_runs(const llvm::Instruction& access, std::uint64_t bytes, llvm::Value* mask);

 private:
  struct NarrowElement {
    const llvm::GetElementPtrInst* address = nullptr;
    const llvm::Value* index = nullptr;  ///< null: the pointer is something else
    bool is_signed = false;
  };
  [[nodiscard]] NarrowElement narrow_element(const llvm::Instruction& access) const;
  [[nodiscard]] bool is_whole_element(const NarrowElement& element, const llvm::Instruction& access) const;
  [[nodiscard]] std::uint64_t elements_in(const NarrowElement& element, std::uint64_t bytes) const;
  llvm::Value* indices_are_apart(const NarrowElement& element, std::uint64_t step, llvm::Value* mask);
  [[nodiscard]] std::uint64_t bytes_of(const llvm::Instruction& access) const;
  llvm::Value* element_address(const NarrowElement& element, llvm::Value* index);

  VectorState& s_;
  LaneBuilder& b_;
  Masks& masks_;
  Lines lines_;
};

}  // namespace lanewise::spmd

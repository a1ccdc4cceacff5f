// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loads and stores of fields of an array of structures, for all lanes at once (field_groups.h). Nothing is read before
/// the first lane's first field or after the last lane's last one, and only what the source stores is written.
///
///     up to four elements          whole vectors, and for each field a shuffle of them; stores the other way round
///     more, fields of 16 bytes     each lane's 16 bytes; elements change places within 128 bits, which is one
///                                  instruction each:
///
///         rows, of 4 lanes each    x0 y0 z0 w0 | x1 y1 z1 w1 | ...      x4 y4 z4 w4 | x5 y5 z5 w5 | ...
///         after log2(4) steps      x0 x4 x8 xC | x1 x5 x9 xD | ...      y0 y4 y8 yC | ...
///         in the order of lanes    x0 x1 x2 x3 | x4 x5 x6 x7 | ...
///
/// Where the index of a structure may wrap, or lanes are guessed to be neighbours, a test chooses between this and each
/// lane by itself. Where a vector comes to the end of a row, guessed lanes are two masked loads.
///
/// If not all lanes are active, a structure's elements have its lane's mask, as at the edges of pictures in OpenCV.
///
/// Rows are of neighbouring lanes, so that memory is read in its order: otherwise some processors do not prefetch.
/// Lanes that are apart have no order in memory: there, rows are of the lanes that come out in their order.
#pragma once

#include <optional>

#include "compiler/lanes/analysis/field_groups.h"
#include "compiler/lanes/emit/addresses.h"
#include "compiler/lanes/emit/two_forms.h"

namespace lanewise::spmd {

class Fields {
 public:
  Fields(VectorState& state, Masks& masks) : s_(state), b_(state.b), masks_(masks), addresses_(state, masks) {}

  /// Looks for groups in the block that is emitted next, for the lanes in `mask`.
  void begin(const llvm::BasicBlock& block, llvm::Value* mask);
  /// Emits the group of an access at its place, and nothing for its other members. False: the access has no group.
  bool emit(const llvm::Instruction& access);

 private:
  using Values = llvm::SmallVector<llvm::Value*, 8>;
  void load(const FieldGroup& group);
  Parts load_where_known(const FieldGroup& group);
  Parts together(const FieldGroup& group);
  llvm::Value* masked(const FieldGroup& group, llvm::Value* address, llvm::Value* lanes, llvm::Value* others);
  Parts by_runs(const FieldGroup& group);
  Parts parts_of(const FieldGroup& group, const Values& elements);
  Values elements_of(const FieldGroup& group, llvm::Value* all);
  [[nodiscard]] bool has_masked_form(const FieldGroup& group) const;
  [[nodiscard]] llvm::FixedVectorType* all_lanes(const FieldGroup& group) const;
  llvm::Value* structure_mask(const FieldGroup& group, llvm::Value* lanes);
  llvm::Value* lane_address(const FieldGroup& group, const Field& field, llvm::Value* at_place);
  llvm::SmallVector<llvm::Value*> lane_addresses(const FieldGroup& group);
  Parts lane_by_lane(const FieldGroup& group);
  void store(const FieldGroup& group);
  void store_where_known(const FieldGroup& group);
  void store_together(const FieldGroup& group, llvm::Value* lanes);
  void store_lane_by_lane(const FieldGroup& group);
  Values whole(const FieldGroup& group);
  Values by_windows(const FieldGroup& group);
  llvm::Value* row(const FieldGroup& group, unsigned first, unsigned lanes);
  llvm::SmallVector<llvm::Value*> windows_apart(const FieldGroup& group);
  void transpose(Values& rows, unsigned window);
  llvm::Value* piece(const FieldGroup& group, std::uint64_t first, std::uint64_t count, int& shift);
  llvm::Value* address(const FieldGroup& group, std::uint64_t element);
  [[nodiscard]] llvm::Align alignment(const FieldGroup& group) const;
  [[nodiscard]] llvm::Align lane_alignment(const Field& field) const;

  VectorState& s_;
  LaneBuilder& b_;
  Masks& masks_;
  llvm::Value* mask_ = nullptr;  ///< the active lanes of the block; null: all
  Addresses addresses_;
  std::optional<FieldGroups> groups_;
};

}  // namespace lanewise::spmd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The loops of a region over the work-items of a group, without their body: ids, ends and metadata.
///
///     begin:  br %items.z                                begin:  br %items
///     items.z: items.y: items:                           items:
///       %local.id.z, %local.id.y, %local.id.x = phi        %local.linear = phi
///       %local.linear = (z * rows + y) * row + x           %local.id.x, .y, .z from it
///       <the body, which ends in a branch to the end>      <the body>
///     items.end: items.end.y: items.end.z:               items.end:
///     end:                                               end:
///
/// Dimensions before `RangeFunction::row` have one work-item, and no loop.
#pragma once

#include <array>
#include <string>

#include "compiler/groups/region_shared.h"

namespace lanewise {

/// How a loop nest counts work-items.
enum class Order : unsigned char {
  nested,     ///< z, y, x; the last may be y or z, before which the others keep their order
  flattened,  ///< one loop over the linear local id, from which x, y and z are computed
};

/// How the innermost loop is entered. Not with Order::flattened.
struct RowEntry {
  llvm::BasicBlock* begin = nullptr;  ///< block before the innermost loop, with a terminator
  llvm::Value* linear = nullptr;      ///< number of the row's first work-item
  llvm::Value* wanted = nullptr;      ///< condition in `begin` without which the row is skipped; set before `close`
};

class ItemNest {
 public:
  /// @param inner  the dimension of the innermost loop; not with Order::flattened
  ItemNest(RegionShared& shared, std::string name, Order order, unsigned inner);

  /// Writes the heads of the loops after `begin`, and the ids of a work-item into the innermost one.
  void open(llvm::BasicBlock* begin);
  /// Writes the ends of the loops. To be called when the body has been written.
  void close();

  [[nodiscard]] RowEntry& row_entry() { return row_entry_; }
  /// The block in which a work-item begins: it has the ids and no terminator yet.
  [[nodiscard]] llvm::BasicBlock* item() const { return head_[loops_.front()]; }
  /// The block in which a work-item ends; it has no instructions until `close`.
  [[nodiscard]] llvm::BasicBlock* item_end() const { return item_end_; }
  /// The block after the loops; exists after `close`.
  [[nodiscard]] llvm::BasicBlock* end() const { return end_; }
  [[nodiscard]] llvm::ArrayRef<llvm::Value*> local_ids() const { return id_; }
  [[nodiscard]] llvm::Value* linear() const { return linear_; }
  /// The work-item's place in slots of item scratch: its linear local id, if these are in the order of x.
  [[nodiscard]] llvm::Value* place() const { return place_; }
  /// The number of the sub-group, the work-item's number in it, and its size.
  [[nodiscard]] llvm::ArrayRef<llvm::Value*> sub_group() const { return sub_group_; }

 private:
  void open_nested();
  void open_flattened();
  void close_nested();
  void close_flattened();
  void number_in_sub_group();
  /// How far neighbours along each dimension are apart, if those along `first` are neighbours.
  [[nodiscard]] std::array<llvm::Value*, 3> strides(llvm::IRBuilder<>& b, unsigned first) const;
  [[nodiscard]] llvm::Value* size(unsigned d) const;
  void describe_loop(llvm::BranchInst& branch, bool innermost, bool do_not_unroll) const;
  llvm::MDNode* sub_group_mark(llvm::LLVMContext& c) const;
  [[nodiscard]] const char* not_vectorisable() const;

  RegionShared& s_;
  std::string name_;
  Order order_;
  llvm::SmallVector<unsigned, 3> loops_;  ///< dimensions, the innermost one first
  llvm::BasicBlock* begin_ = nullptr;
  llvm::BasicBlock* head_[3] = {};
  RowEntry row_entry_;
  llvm::Value* id_[3] = {};
  llvm::Value* linear_ = nullptr;
  llvm::Value* place_ = nullptr;
  llvm::Value* sub_group_[3] = {};
  llvm::BasicBlock* item_end_ = nullptr;
  llvm::BasicBlock* end_ = nullptr;
};

}  // namespace lanewise

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

#include <string>

#include "compiler/workgroup/region_shared.h"

namespace lanewise {

/// How a loop nest counts work-items.
enum class Order : unsigned char {
  nested,     ///< z, y, x; the last may be y or z
  flattened,  ///< one loop over the linear local id, from which x, y and z are computed
};

class ItemNest {
 public:
  ItemNest(RegionShared& shared, std::string name, Order order) : s_(shared), name_(std::move(name)), order_(order) {}

  /// Writes the heads of the loops behind `begin`, and the ids of a work-item into the innermost one.
  void open(llvm::BasicBlock* begin);
  /// Has the innermost loop run only where `wanted`, a value of `row_begin`. Not with Order::flattened.
  void run_rows_if(llvm::Value* wanted) { row_wanted_ = wanted; }
  /// Writes the ends of the loops. To be called when the body has been written.
  void close();

  /// The block in front of the innermost loop, with a terminator, and the linear number of the row's first work-item.
  [[nodiscard]] llvm::BasicBlock* row_begin() const { return row_begin_; }
  [[nodiscard]] llvm::Value* row_linear() const { return row_linear_; }
  /// The block in which a work-item begins: it has the ids and no terminator yet.
  [[nodiscard]] llvm::BasicBlock* item() const { return head_[row()]; }
  /// Where it ends: a block without instructions until `close`.
  [[nodiscard]] llvm::BasicBlock* item_end() const { return item_end_; }
  /// The block behind the loops; exists after `close`.
  [[nodiscard]] llvm::BasicBlock* end() const { return end_; }
  [[nodiscard]] llvm::ArrayRef<llvm::Value*> local_ids() const { return id_; }
  [[nodiscard]] llvm::Value* linear() const { return linear_; }
  /// The number of the sub-group, the work-item's number in it, and its size.
  [[nodiscard]] llvm::ArrayRef<llvm::Value*> sub_group() const { return sub_group_; }

 private:
  void open_nested();
  void open_flattened();
  void close_nested();
  void close_flattened();
  void skip_row(llvm::BasicBlock* behind);
  void number_in_sub_group();
  [[nodiscard]] unsigned row() const { return order_ == Order::nested ? s_.range.row : 0; }
  [[nodiscard]] llvm::Value* size(unsigned d) const;
  void describe_loop(llvm::BranchInst& branch, bool innermost, bool do_not_unroll) const;
  llvm::MDNode* sub_group_mark(llvm::LLVMContext& c) const;
  [[nodiscard]] const char* not_vectorisable() const;

  RegionShared& s_;
  std::string name_;
  Order order_;
  llvm::BasicBlock* begin_ = nullptr;
  llvm::BasicBlock* head_[3] = {};
  llvm::BasicBlock* row_begin_ = nullptr;
  llvm::Value* row_linear_ = nullptr;
  llvm::Value* row_wanted_ = nullptr;
  llvm::Value* id_[3] = {};
  llvm::Value* linear_ = nullptr;
  llvm::Value* sub_group_[3] = {};
  llvm::BasicBlock* item_end_ = nullptr;
  llvm::BasicBlock* end_ = nullptr;
};

}  // namespace lanewise

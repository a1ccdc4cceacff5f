// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A finished vector loop, and how its values depend on the work-items that an iteration runs.
///
///     items.y:                                    %y = phi [0], [%y + 1]
///       ...                                       %go, %count
///       br %go, %enter, %rest
///     enter:
///       br %vector
///     vector:                                     %x = phi [0, enter], [%x + W]
///       ...                                       the body
///       br (%x + W < %count), %vector, %done
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include "compiler/lanes/analysis/shared_branches.h"

namespace lanewise::spmd {

/// On which ids a value depends.
enum Depends : unsigned char { on_nothing = 0, on_column = 1, on_row = 2, on_both = 3 };

/// The loop over y around a vector loop.
struct RowLoop {
  llvm::Loop* loop = nullptr;  ///< null: there is none of the usual form
  llvm::PHINode* id = nullptr;
  llvm::Value* count = nullptr;
  bool vary = false;  ///< whether vectors run, and how many, depends on the row: a condition of the kernel ends rows
};

class VectorLoop {
 public:
  /// Reads the loop's form and computes the dependences. False: not a vector loop, or one that something has changed.
  /// @param share  vectors of one iteration may share branches that are for that (`shared`)
  bool read(llvm::Loop& loop, bool share);

  /// Reads a scalar loop of work-items (item_loop.h) as one of vectors of a single work-item. It has no `go`.
  /// @param with_rows  also finds the rows and what depends on them, and is false if there are none
  bool read_items(llvm::Loop& loop, bool with_rows);

  [[nodiscard]] Depends of(const llvm::Value& value) const { return static_cast<Depends>(depends_.lookup(&value)); }
  /// A branch in the body that is not shared depends on these ids, so that work-items that differ in them cannot share
  /// an iteration.
  [[nodiscard]] bool branches_on(Depends which) const { return (branches_ & which) != 0; }

  /// Rows differ. Kernels of one dimension have a loop over y as well, but it runs only once.
  [[nodiscard]] bool uses_rows() const;

  llvm::Loop* loop = nullptr;
  unsigned width = 0;
  llvm::PHINode* id = nullptr;        ///< lane 0's local id
  llvm::Value* count = nullptr;       ///< work-items in full vectors
  llvm::Value* go = nullptr;          ///< the vector loop may run
  llvm::BasicBlock* enter = nullptr;  ///< preheader of the loop
  llvm::BasicBlock* done = nullptr;   ///< exit of the loop

  RowLoop rows;
  /// Instructions between the two loops that the body uses, in order; none of them accesses memory.
  llvm::SmallVector<llvm::Instruction*> between;
  /// Private variables of the lanes, or of the one work-item. All iterations share them, so copies of an iteration need
  /// their own.
  llvm::SmallVector<llvm::AllocaInst*> variables;
  SharedBranches shared;

 private:
  bool read_form(llvm::Loop& vector_loop);
  bool read_loop(llvm::Loop& counted, unsigned step);
  void read_rows();
  bool collect_between(llvm::Value& value);
  void find_variables(const char* mark);
  void find_dependences();
  [[nodiscard]] unsigned char transfer(const llvm::Instruction& i) const;

  llvm::DenseMap<const llvm::Value*, unsigned char> depends_;
  unsigned char branches_ = 0;
};

/// Adds the metadata of a vector loop to the loop whose latch ends in `latch`.
void mark_vector_loop(llvm::Instruction& latch, unsigned width);

/// Work-items in a vector of a loop that the vectoriser has made; 0 for other loops.
unsigned vector_width(const llvm::Loop& loop);

}  // namespace lanewise::spmd

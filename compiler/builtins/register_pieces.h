// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Splits vectors of any number of lanes into pieces of a register's size and joins them again, for instructions that
/// exist for whole registers only. A scalar counts as a vector of one lane.
///
///     %v: <24 x float>, registers of 512 bits  ->  <16 x float>: lanes 0 to 15
///                                                  <16 x float>: lanes 16 to 23 and eight of poison
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "src/base/rounding.h"

namespace lanewise {

class RegisterPieces {
 public:
  /// For values of `type`, or with as many lanes of elements of the same size. `builder` must outlive this object.
  /// `least` and `most`: the smallest and largest register to use, in bits; powers of two.
  RegisterPieces(llvm::IRBuilderBase& builder, const llvm::Type& type, unsigned least, unsigned most);

  [[nodiscard]] unsigned count() const { return divide_up(lanes_, piece_); }
  [[nodiscard]] unsigned lanes() const { return piece_; }  ///< lanes of a piece
  [[nodiscard]] unsigned bits() const { return piece_ * element_bits_; }

  /// Lanes [p lanes(), (p + 1) lanes()) of a value, poison where it has no such lane.
  llvm::Value* part(llvm::Value* all, unsigned p);
  /// Joins `count()` parts into one value with as many lanes as the type that the constructor was given.
  llvm::Value* joined(llvm::SmallVector<llvm::Value*> parts);

 private:
  llvm::IRBuilderBase& builder_;
  bool scalar_;
  unsigned lanes_;
  unsigned element_bits_;
  unsigned piece_;  ///< lanes
};

}  // namespace lanewise

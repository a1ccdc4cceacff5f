// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which bits of a value nobody has written. A value has a shadow, an integer (or a vector of integers) of its size; a
/// bit that is set is not defined. `and`, `or`, shifts, extensions and lanes of vectors are exact, so bit-fields and
/// swizzles are. All other operations are defined if all their operands are.
///
///     %x = load i32, ptr %a               %x.shadow = load i32, ptr %a.shadow
///     %y = and i32 %x, 7            =>    %y.shadow = and i32 %x.shadow, 7
///     %z = add i32 %y, 1                  %z.shadow = sext i1 (icmp ne i32 %y.shadow, 0) to i32
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>

namespace lanewise {

class ShadowValues {
 public:
  /// The shadow of a value that has been visited; constants have one of their own. Null: the value has none, and counts
  /// as defined (aggregates).
  llvm::Value* of(llvm::Value& value);
  void set(llvm::Value& value, llvm::Value* shadow) { shadows_[&value] = shadow; }

  /// The type of a shadow; null: there is none.
  static llvm::Type* type_of(llvm::Type& type);

  /// Makes the shadow of an instruction that does not access memory, after it, from those of its operands. Operands of
  /// phis are added by `complete`.
  void visit(llvm::Instruction& i);
  /// Adds the operands of a phi's shadow.
  void complete(llvm::PHINode& phi);

  /// i1: whether any bit is set; null: none is.
  static llvm::Value* any(llvm::IRBuilder<>& b, llvm::Value* shadow);

 private:
  llvm::Value* make(llvm::IRBuilder<>& b, llvm::Instruction& i);
  llvm::Value* of_binary(llvm::IRBuilder<>& b, llvm::BinaryOperator& i);
  llvm::Value* of_cast(llvm::IRBuilder<>& b, llvm::CastInst& i);
  llvm::Value* of_select(llvm::IRBuilder<>& b, llvm::SelectInst& i);
  llvm::Value* of_shuffle(llvm::IRBuilder<>& b, llvm::ShuffleVectorInst& i);
  /// All bits, where an operand is not defined.
  llvm::Value* of_operands(llvm::IRBuilder<>& b, llvm::Instruction& i);

  llvm::DenseMap<llvm::Value*, llvm::Value*> shadows_;
};

}  // namespace lanewise

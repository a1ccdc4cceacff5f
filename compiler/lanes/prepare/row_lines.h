// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Numbers of a work-item as `first + stride * x`, modulo their size, where x is the work-item's place in its row.
/// Other than shapes (analysis/shapes.h), they need no vectors: no number is assumed not to wrap.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <optional>

#include "compiler/lanes/analysis/item_loop.h"

namespace lanewise::spmd {

class RowLines {
 public:
  using Stride = std::optional<std::int64_t>;

  /// @param items  must outlive this object
  explicit RowLines(const ItemLoop& items) : items_(items) {}

  /// nullopt: not known to be of this form. 0 also for values that may differ between work-items, like a load:
  /// each work-item then has a `first` of its own.
  [[nodiscard]] Stride of(const llvm::Value& v, unsigned depth = 0) const;

  /// Of a counter of a loop, too, to which all work-items add the same.
  [[nodiscard]] Stride of_counter(const llvm::Value& v) const;

  /// The number for x = 0, made from that of this work-item; its stride is known.
  [[nodiscard]] llvm::Value* first(llvm::Value& v, llvm::IRBuilder<>& at) const;

 private:
  [[nodiscard]] Stride of_phi(const llvm::PHINode& phi, unsigned depth) const;
  [[nodiscard]] Stride by_operands(const llvm::Instruction& i, unsigned depth) const;

  const ItemLoop& items_;
};

}  // namespace lanewise::spmd

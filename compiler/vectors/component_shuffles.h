// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds and writes the shuffles that take four components of a vector of work-items apart and put them together
/// (component_layout.h).
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <array>
#include <optional>

namespace lanewise::spmd {

inline constexpr unsigned kComponents = 4;

/// A value of each component, with as many elements as there are work-items.
using Group = std::array<llvm::Value*, kComponents>;

/// A shuffle that puts components together: the interleaved elements of the parts, which others have concatenated.
struct Join {
  llvm::ShuffleVectorInst* shuffle = nullptr;
  Group parts{};
  unsigned width = 0;                          ///< work-items
  std::array<const llvm::Value*, 2> halves{};  ///< what concatenates the parts for it
};

[[nodiscard]] std::optional<Join> join_at(llvm::Instruction& i);

/// The value that four shuffles take apart, first component first; null if that is not what they do.
[[nodiscard]] llvm::Value* whole_of(const Group& parts);

/// Puts components together.
[[nodiscard]] llvm::Value* join(llvm::IRBuilder<>& b, const Group& parts, unsigned width);

/// The four elements from `begin` on, if they were one vector before they were concatenated with others; null if not.
[[nodiscard]] llvm::Value* piece_of(llvm::Value& whole, unsigned begin);

/// Four components of 32 bits of W work-items, by shuffles that work within 128 bits.
/// @param rows  row j: the components of the work-items j, j + 4, j + 8, ... side by side
[[nodiscard]] Group transpose(llvm::IRBuilder<>& b, const Group& rows);

}  // namespace lanewise::spmd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the dot products of all architectures share (operations.h).
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>

#include "compiler/builtins/register_pieces.h"

namespace lanewise {

/// The highest bit of each byte of a lane: 128 in unsigned bytes, -128 in signed ones.
inline constexpr std::uint32_t kHighBits = 0x80808080;

/// The result of a call with the operands (sum, a, b), put together of what `lower` makes of their pieces.
inline llvm::Value* piece_by_piece(RegisterPieces& pieces, const llvm::CallInst& call,
                                   llvm::function_ref<llvm::Value*(llvm::Value*, llvm::Value*, llvm::Value*)> lower) {
  llvm::SmallVector<llvm::Value*> results;
  for (unsigned p = 0; p < pieces.count(); ++p) {
    llvm::Value* sum = pieces.part(call.getArgOperand(0), p);
    llvm::Value* a = pieces.part(call.getArgOperand(1), p);
    llvm::Value* b = pieces.part(call.getArgOperand(2), p);
    results.push_back(lower(sum, a, b));
  }
  return pieces.joined(results);
}

}  // namespace lanewise

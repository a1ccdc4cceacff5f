// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The work-items that pass the guards of a loop (guards.h), as numbers computed in front of it.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/spmd/analysis/guards.h"

namespace lanewise::spmd {

/// The local ids in [low, high) pass, if `holds`; high >= low, both at most the size.
struct Bounds {
  llvm::Value* low = nullptr;    ///< null: 0
  llvm::Value* high = nullptr;   ///< null: the size
  llvm::Value* holds = nullptr;  ///< null: always
};

/// Computes the bounds where `builder` stands, which is outside of the loop.
[[nodiscard]] Bounds emit_bounds(llvm::IRBuilder<>& builder, const Guards& guards, const Body& body,
                                 const llvm::PHINode& local_id, llvm::Value* size);

}  // namespace lanewise::spmd

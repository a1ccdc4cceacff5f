// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tells which blocks under a mask a branch skips where no lane is active.
#pragma once

#include "compiler/lanes/emit/vector_state.h"

namespace lanewise::spmd {

/// The source says that the block nearly never runs.
[[nodiscard]] bool is_unlikely(const llvm::BasicBlock& block);

/// Whether a block does enough work to be skipped where no lane is active.
[[nodiscard]] bool is_worth_skipping(const VectorState& state, const llvm::BasicBlock& block);

}  // namespace lanewise::spmd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the vector form cannot express.
#pragma once

#include "compiler/spmd/analysis/body.h"
#include "compiler/spmd/analysis/refusal.h"
#include "compiler/spmd/analysis/shapes.h"

namespace lanewise::spmd {

/// Checks the form of a work-item loop, before anything else looks at it.
/// @param any_size  do not refuse what is large
[[nodiscard]] Refusal check_loop(const llvm::Loop& items, bool any_size = false);

/// Checks what depends on which loops diverge. With `kSharedBodies` none may: divergent loops are, or contain, the ways
/// back to different calls, and lanes that took different ones would wait for each other in each of the bodies.
[[nodiscard]] Refusal check_divergence(const Body& body, const Divergence& divergence);

/// Bytes of private variables that a work-item of this loop has on the stack.
[[nodiscard]] std::uint64_t private_bytes(const llvm::Loop& items);

/// The loop's `lanewise.items` metadata; null if it is another loop. A second operand is a reason to leave it alone.
[[nodiscard]] const llvm::MDNode* items_metadata(const llvm::Loop& loop);

}  // namespace lanewise::spmd

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

}  // namespace lanewise::spmd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checks for loops that the vector form cannot express.
#pragma once

#include "compiler/lanes/analysis/body.h"
#include "compiler/lanes/analysis/refusal.h"
#include "compiler/lanes/analysis/shapes.h"

namespace lanewise::spmd {

/// Checks the form of a work-item loop, before anything else looks at it.
/// @param any_size  large loops are not refused
[[nodiscard]] Refusal check_loop(const llvm::Loop& items, bool any_size = false);

/// Checks what depends on which loops diverge. In a kernel with `kSharedBodies` no loop may diverge. Such a loop may
/// be, or contain, the returns to different calls, and lanes that return to different calls would wait for each other
/// in each body.
[[nodiscard]] Refusal check_divergence(const Body& body, const Divergence& divergence);

}  // namespace lanewise::spmd

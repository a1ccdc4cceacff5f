// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Whether hot code will probably run several rows of work-items at once (compiler/vectors/register_blocking.h), which
/// first code does not if it has one masked form, or tests of accesses that only hot code shares. Launches whose local
/// size the driver chooses then get groups of several rows from the beginning.
#pragma once

#include "compiler/lanes/analysis/facts.h"

namespace lanewise::spmd {

/// True if rows would share much of the work of an inner loop: what depends on x and not on y, as a coordinate of a
/// filter that is divided by the width of the image.
[[nodiscard]] bool shares_rows(const LoopFacts& facts);

}  // namespace lanewise::spmd

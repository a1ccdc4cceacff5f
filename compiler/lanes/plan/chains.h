// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Straight code that waits for its own results, like a polynomial by Horner's rule.
///
///     p = fma(c3, x, c2); q = fma(p, x, c1); y = fma(q, x, c0)      3 operations, 12 cycles
///
/// A processor overlaps such a vector with the next one only as far as it looks ahead: a body of a few dozen operations
/// overlaps by itself, a longer one needs a second vector that is woven into it.
#pragma once

#include "compiler/lanes/analysis/facts.h"
#include "src/base/isa.h"

namespace lanewise::spmd {

/// Whether a second vector in flight would pay: no loop inside, a few dozen to a few hundred operations, and fewer of
/// them in a cycle of the longest chain than half of what a processor can start.
[[nodiscard]] bool waits_for_chain(const Body& body, const Shapes& shapes, Isa isa);

}  // namespace lanewise::spmd

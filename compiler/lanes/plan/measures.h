// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The numbers that decide about a loop (plan.h), taken from its body. Costs are rough counts of operations, weighted
/// by loop depth: enough to tell a kernel whose lanes read unrelated memory (a row of a sparse matrix each) from one
/// that computes.
///
/// They are not `TargetTransformInfo`'s, which gives the cost of one instruction at a time: here whole loops are
/// compared, including the cost of masks, gathers that are nearly always consecutive loads, and values that stay
/// scalar, and the decision has to be the same on every machine that compiles for one instruction set. The target is
/// asked only whether it has masked accesses.
#pragma once

#include "compiler/lanes/analysis/facts.h"
#include "compiler/lanes/plan/plan.h"

namespace llvm {
class TargetTransformInfo;
}

namespace lanewise::spmd {

[[nodiscard]] Elements measure_elements(const LoopFacts& facts, const Shapes& shapes, Isa isa);

/// Sets the costs of `lanes` work-items.
void measure_costs(const Body& body, const Shapes& shapes, unsigned lanes, Isa isa, Measures& measures);

/// Sets all but the costs.
/// @param inner  shapes of full vectors
/// @param whole  shapes of the vectors of the masked form
void measure_body(const LoopFacts& facts, const Shapes& inner, const Shapes& whole, unsigned lanes, Isa isa,
                  const llvm::TargetTransformInfo& target, Measures& measures);

}  // namespace lanewise::spmd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The numbers that decide about a loop (plan.h), taken from its body. Costs are rough counts of operations, weighted by
/// loop depth: enough to tell a kernel whose lanes walk unrelated memory (a row of a sparse matrix each) from one that
/// computes.
///
/// They are this file's own and not `TargetTransformInfo`'s, which prices an instruction at a time: here whole loops are
/// compared, with what becomes of masks, of gathers that are nearly always consecutive loads, and of values that stay
/// scalar, and the decision has to be the same on every machine that compiles for one instruction set. What the target is
/// asked is a fact and not a price: whether it has masked accesses.
#pragma once

#include "compiler/spmd/analysis/facts.h"
#include "compiler/spmd/plan/plan.h"

namespace llvm {
class TargetTransformInfo;
}

namespace lanewise::spmd {

[[nodiscard]] Elements measure_elements(const LoopFacts& facts, const Shapes& shapes);

/// Sets the costs of `lanes` work-items.
void measure_costs(const Body& body, const Shapes& shapes, unsigned lanes, Isa isa, Measures& measures);

/// Sets the rest. @param inner  shapes of full vectors   @param whole  of the vectors that the masked form runs
void measure_body(const LoopFacts& facts, const Shapes& inner, const Shapes& whole, unsigned lanes, Isa isa,
                  const llvm::TargetTransformInfo& target, Measures& measures);

}  // namespace lanewise::spmd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Plans one work-item loop: measures its facts, makes the decision of plan.h, and finds the shapes that hold under it.
#pragma once

#include <variant>

#include "compiler/lanes/analysis/facts.h"
#include "compiler/lanes/plan/plan.h"

namespace llvm {
class TargetTransformInfo;
}

namespace lanewise::spmd {

struct LoopPlan {
  Plan plan;
  Isa isa;       ///< instruction set for which the plan was made
  Shapes inner;  ///< shapes of full vectors, whose work-items pass the guards
  Shapes whole;  ///< shapes of all other vectors
};

/// Either a plan or why the loop stays scalar. Neither changes the loop.
[[nodiscard]] std::variant<LoopPlan, Refusal> make_plan(const LoopFacts& facts, const llvm::TargetTransformInfo& target,
                                                        const Options& options);

}  // namespace lanewise::spmd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// All that the analysis finds out about a work-item loop before the plan is made. It changes nothing.
#pragma once

#include <memory>
#include <variant>

#include "compiler/spmd/analysis/body.h"
#include "compiler/spmd/analysis/guards.h"
#include "compiler/spmd/analysis/item_loop.h"
#include "compiler/spmd/analysis/refusal.h"
#include "compiler/spmd/analysis/shapes.h"

namespace lanewise::spmd {

struct LoopFacts {
  ItemLoop items;
  SubGroupLoop sub_group;
  std::unique_ptr<const Body> body;
  Shapes shapes;  ///< of all work-items, in vectors that begin anywhere
  Guards guards;  ///< none for loops of sub-groups
  /// The scalar form keeps wide vectors of the source in registers from one iteration of a loop to the next.
  bool source_vectors = false;
};

/// The facts about a work-item loop of a normalised function (normalise.h), or why it has no vector form.
[[nodiscard]] std::variant<LoopFacts, Refusal> analyse(llvm::Loop& loop, const llvm::LoopInfo& loops,
                                                       bool source_vectors);

/// Loops of the function keep wide vectors of the source in registers. Must be asked before these are split to scalars.
[[nodiscard]] bool carries_vectors(const llvm::Function& function);

/// Every use of a work-item's own variable is in some work-item loop, where it can be given lanes.
[[nodiscard]] bool private_variables_are_local(const llvm::Function& function, const llvm::LoopInfo& loops);

}  // namespace lanewise::spmd

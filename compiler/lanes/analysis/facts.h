// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// All that the analysis finds out about a work-item loop before the plan is made. It changes nothing.
#pragma once

#include <memory>
#include <variant>

#include "compiler/lanes/analysis/body.h"
#include "compiler/lanes/analysis/guards.h"
#include "compiler/lanes/analysis/item_loop.h"
#include "compiler/lanes/analysis/refusal.h"
#include "compiler/lanes/analysis/shapes.h"

namespace lanewise::spmd {

/// What the scalar form does with vectors of the source.
struct SourceVectors {
  bool carried = false;  ///< wide ones stay in registers from one iteration of a loop to the next
  /// Most operations fill a register each (hashes of sixteen messages in a uint16): lanes would do nothing faster, with
  /// sixteen times the code. Or many are loads that fill half of one: lanes would take them apart for nothing.
  bool filling = false;
  bool many = false;  ///< filling, and so many that even to take them apart takes long
};

struct LoopFacts {
  ItemLoop items;
  SubGroupLoop sub_group;
  std::unique_ptr<const Body> body;
  Shapes shapes;  ///< shapes of all work-items, in vectors that begin anywhere
  Guards guards;  ///< none for loops of sub-groups
  SourceVectors source_vectors;
};

/// The facts about a work-item loop of a normalised function (normalise.h), or why it has no vector form.
[[nodiscard]] std::variant<LoopFacts, Refusal> analyse(llvm::Loop& loop, const llvm::LoopInfo& loops,
                                                       SourceVectors source_vectors);

/// Looks at the vectors of the source. To be called before they are split into scalars.
/// @param register_bytes  bytes of a vector register
[[nodiscard]] SourceVectors find_source_vectors(const llvm::Function& function, const llvm::LoopInfo& loops,
                                                unsigned register_bytes);

}  // namespace lanewise::spmd

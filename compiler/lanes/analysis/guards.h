// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Guards are conditions at the beginning of a body that can be evaluated before the loop, as early exits are:
///
///     for x in [0, size):                           if y < h:
///       if (x >= w || y >= h) return;      =>         for x in [0, min(size, w - base)):
///       ...                                             ... without the condition
///
/// The vector loop then runs only the work-items that pass, so its body needs no masks for the others. The bounds
/// assume that no id wraps, which is tested before the loop, too; where it does not hold, the masked loop runs all
/// work-items, one at a time, with the conditions that the program has. In either case lane 0 of the masked loop stands
/// for all active lanes, so that the conditions are branches there and what is after them is no part of their region.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include "compiler/lanes/analysis/body.h"
#include "compiler/lanes/analysis/shapes.h"

namespace lanewise::spmd {

/// One of the conditions that all have to hold: a comparison with a value that is invariant in the loop, or a condition
/// that is invariant itself.
struct Condition {
  const llvm::Value* value = nullptr;  ///< i1
  bool negated = false;
  bool is_bound = false;  ///< a comparison of a value that grows with the local id; else `value` is invariant
  bool swapped = false;   ///< the invariant operand of a bound is the left one
};

struct Guards {
  llvm::SmallVector<Guard, 2> passed;
  llvm::SmallVector<Condition, 4> conditions;
};

/// Looks at the chain of blocks with which every work-item begins. Needs shapes of the body with all its branches.
[[nodiscard]] Guards find_guards(const Body& body, const Shapes& shapes, const llvm::PHINode& local_id);

}  // namespace lanewise::spmd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Conditions at the begin of a body that let work-items out, where they can be told in front of the loop:
///
///     for x in [0, size):                           if y < h:
///       if (x >= w || y >= h) return;      =>         for x in [0, min(size, w - base)):
///       ...                                             ... without the condition
///
/// The vector loop then runs the work-items that pass and knows nothing of the others, so its body needs no masks. What
/// the bounds rest on (no id wraps) is tested in front of the loop, too; where it does not hold, the masked loop runs
/// all work-items with the conditions that the program has.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include "compiler/spmd/analysis/body.h"
#include "compiler/spmd/analysis/shapes.h"

namespace lanewise::spmd {

/// One of the conditions that all have to hold: `value` compared with what the loop does not change, or something that
/// the loop does not change at all.
struct Condition {
  const llvm::Value* value = nullptr;  ///< i1
  bool negated = false;
  bool is_bound = false;  ///< a comparison of what counts up with the local id; else the loop does not change `value`
  bool swapped = false;   ///< of a bound: the side that does not change is the left one
};

struct Guards {
  llvm::SmallVector<Guard, 2> passed;
  llvm::SmallVector<Condition, 4> conditions;
};

/// Looks at the chain of blocks that every work-item begins with. Needs shapes of the body with all its branches.
[[nodiscard]] Guards find_guards(const Body& body, const Shapes& shapes, const llvm::PHINode& local_id);

}  // namespace lanewise::spmd

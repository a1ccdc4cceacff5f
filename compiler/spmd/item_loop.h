// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The loops that take the place of a work-item loop:
///
///     for (x = 0; x + W <= size; x += W) items<W>(x)                    ; if the assumptions about ids hold
///     for (; x < size; x += step) items<W>(x, lane < min(size - x, step))   ; masked: at most once, with step = W
///
/// Where an assumption does not hold, the masked loop does all of it with step = 1: a single lane has no stride that
/// could be wrong. So no scalar form is needed. Where masks are dear (elements that the processor has no masked
/// accesses for), the rest stays the scalar loop that it was.
#pragma once

#include <string>

#include "compiler/spmd/body.h"
#include "compiler/spmd/cost.h"
#include "compiler/spmd/shapes.h"

namespace llvm {
class TargetTransformInfo;
}

namespace lanewise::spmd {

struct ItemLoop {
  llvm::Loop* loop = nullptr;
  llvm::PHINode* id = nullptr;
  llvm::Value* size = nullptr;  ///< the trip count
};

/// What runs the work-items behind the last full vector.
enum class Tail : unsigned char { scalar, masked };

/// Finds id and size: the loop's only phi counts from 0 by 1 up to an invariant size. Returns a reason if it does not.
[[nodiscard]] std::string find_count(ItemLoop& items);

/// The cheaper tail for this body.
[[nodiscard]] Tail choose_tail(const Body& body, const Shapes& shapes, const Choice& choice,
                               const llvm::TargetTransformInfo& target);

/// Emits the vector forms. The original loop keeps the rest (Tail::scalar) or becomes unreachable.
void emit_item_loop(const ItemLoop& items, Body& body, const Shapes& shapes, unsigned width, Tail tail,
                    unsigned isa_level, const llvm::TargetTransformInfo& target);

}  // namespace lanewise::spmd
